"""Graphs of other libraries to and from RelationalGraph.

These modules know the arrays and names that `RelationalGraph.from_arrays` takes, not the class
itself, so that its ``from_...`` methods can call them.
"""
