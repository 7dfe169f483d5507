"""Conversion between RelationalGraph and the graphs of other libraries.

These modules produce the arguments of `RelationalGraph.from_arrays` and do not import the class,
so its ``from_...`` methods can import them.
"""
