"""Models on disk, written whole or not at all, read as data only."""
