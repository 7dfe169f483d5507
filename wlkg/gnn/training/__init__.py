"""Models trained on classes of vertices."""
