"""Sets of rules from the exact one to very short ones: how fidelity falls with size.

For each level of fidelity, trees that weigh gain against size differently are pruned as far as the
level allows. The one that promises the least size is read out, a formula for each label, and for
the main levels the formulas are shortened. Labels are then given by formulas alone: each is true of
exactly the items that have its label.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import Formula, disjunction, negation
from wlkg.analysis.explanation.learned.candidates import Candidates
from wlkg.analysis.explanation.learned.readout import formula_of, labelled
from wlkg.analysis.explanation.learned.shortening import THRIFTS, Shortener
from wlkg.analysis.explanation.learned.tree import Effort, Grower, Question, Tree
from wlkg.analysis.explanation.learned.votes import Votes
from wlkg.analysis.explanation.separation import Separator
from wlkg.arrays import BoolArray, IntArray

#: The number of entries of candidates that may be looked at to shorten the rules of a level.
EFFORT = 100_000_000
