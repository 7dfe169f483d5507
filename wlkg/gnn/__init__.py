"""Relational graph neural networks, trained and held against the tests; needs the extra ``gnn``."""
