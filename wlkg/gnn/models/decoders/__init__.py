"""Decoders: what turns features of vertices into scores of links, one per file."""
