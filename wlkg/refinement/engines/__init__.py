"""Engines for vertex tests beside the built-in one, behind one interface, and what they need."""
