"""Vertex tests on Apache Spark, for graphs beyond one machine's memory; needs extra ``spark``."""
