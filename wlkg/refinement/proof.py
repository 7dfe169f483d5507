"""What a result says about how it was proven, and how often a failed proof is tried again."""

from __future__ import annotations

EVERY_ROUND = "every round was checked without hashing"


#: New random numbers are drawn so often if a check fails; once is already unthinkable.
ATTEMPTS = 8
