"""Vertex tests in a DuckDB database that spills to disk: graphs may be larger than memory."""
