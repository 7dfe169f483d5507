"""Models on disk: files that are complete or absent, and are read as data only."""
