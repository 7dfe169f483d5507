"""Questions about graphs that WL tests answer."""
