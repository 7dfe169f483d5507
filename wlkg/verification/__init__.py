"""Checks certificates by direct evaluation, sharing nothing with what writes them but the format.

The rooms that run tests, search for formulas or find symmetries are not used here: only graphs, as
they were read. Everything is dictionaries and loops, to be read in one sitting. See
docs/certificates.md for the format.
"""
