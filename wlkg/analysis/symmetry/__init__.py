"""Symmetries of a graph: reduce it by colours, ask a library about the rest, check the answer."""
