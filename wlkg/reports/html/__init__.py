"""Sections as one self-contained page that works offline."""
