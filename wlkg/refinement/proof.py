"""The texts of `Refinement.proof`, and how often a run is repeated if its check fails."""

from __future__ import annotations

EVERY_ROUND = "every round was checked without hashing"
SORTED = "every round was sorted, nothing was hashed"
UNCHECKED_VERTICES = "colours rest on two 64-bit sums"
STABLE_TUPLES = "the stable colours were checked without hashing; rounds rest on 64-bit codes"
UNCHECKED_TUPLES = "colours rest on 64-bit codes"

#: Runs with fresh random numbers before giving up on the check. A single failure is already less
#: likely than a hardware fault.
ATTEMPTS = 8
