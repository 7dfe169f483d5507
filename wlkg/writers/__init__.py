"""Writing graphs, whole or not at all."""
