"""Relational graph neural networks: training, and comparison with WL tests; needs extra ``gnn``."""
