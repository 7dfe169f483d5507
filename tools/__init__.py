"""Programs that keep the project's own pages true."""
