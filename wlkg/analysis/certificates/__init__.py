"""Writes evidence for answers, which ``wlkg.verification`` checks on its own."""
