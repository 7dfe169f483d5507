"""Sections as text with tables: Markdown and LaTeX."""
