"""Training models to predict classes of vertices."""
