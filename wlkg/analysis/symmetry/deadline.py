"""A time limit that is passed along from step to step."""

from __future__ import annotations

import time
from dataclasses import dataclass


class OutOfTimeError(Exception):
    """The time limit was reached; whoever set it turns this into an open answer."""


@dataclass(frozen=True)
class Deadline:
    """A point in time."""

    at: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        return cls(time.monotonic() + seconds)

    def seconds_left(self) -> float:
        """The time left; an error if there is none."""
        left = self.at - time.monotonic()
        if left <= 0:
            raise OutOfTimeError
        return left
