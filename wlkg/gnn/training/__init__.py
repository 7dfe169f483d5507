"""Models fitted to classes of vertices."""
