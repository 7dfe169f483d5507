"""The tests that colour K-tuples of vertices."""
