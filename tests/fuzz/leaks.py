"""Does memory grow over many reads? ``python -m tests.fuzz.leaks --reads 10000 [--only KIND]``.

Reads the same few hundred inputs again and again and shows, for each part of the run, the memory
that the process occupies and who holds it: Python objects, Arrow's pool, or the allocator of the C
library, which keeps what was freed. Ends with status 1 if memory still grows after the first half.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from tests.fuzz.case import Case
from tests.fuzz.inputs import make_input
from tests.fuzz.trial import memory, try_case

#: Different inputs; they are read in turn.
INPUTS = 125
#: Bytes per read that memory may grow by after the first half: noise of the allocator.
MOST = 3000
_PARTS = 8


@dataclass(frozen=True)
class Memory:
    """Who holds memory, in bytes; objects are counted."""

    resident: int
    #: In use according to the C library, and what it keeps although it was freed.
    in_use: int
    kept: int
    arrow: int
    objects: int

    @classmethod
    def now(cls) -> Memory:
        gc.collect()
        in_use, kept = _allocator()
        arrow = pa.default_memory_pool().bytes_allocated()
        return cls(memory("VmRSS"), in_use, kept, arrow, len(gc.get_objects()))

    def __str__(self) -> str:
        sizes = (self.resident, self.in_use, self.kept, self.arrow)
        cells = [f"{size / 2**20:9.1f}" for size in sizes]
        return "".join(cells) + f"{self.objects:11,}"


class _Mallinfo(ctypes.Structure):
    _fields_ = [
        *[(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd")],
        *[
            (name, ctypes.c_size_t)
            for name in ("usmblks", "fsmblks", "uordblks", "fordblks", "top")
        ],
    ]


def _allocator() -> tuple[int, int]:
    """What glibc's allocator has given out and what it keeps; zeros elsewhere."""
    try:
        mallinfo = ctypes.CDLL("libc.so.6").mallinfo2
    except (OSError, AttributeError):
        return 0, 0
    mallinfo.restype = _Mallinfo
    info = mallinfo()
    return info.uordblks + info.hblkhd, info.fordblks


def grow(reads: int, only: str | None = None, seed: int = 0) -> list[Memory]:
    """Memory before and after each of eight parts of a run."""
    cases = [make_input(seed, number, only) for number in range(min(INPUTS, reads))]
    with tempfile.TemporaryDirectory() as folder:
        _read(cases, len(cases), Path(folder))  # what is loaded on first use is not a leak
        states = [Memory.now()]
        for _ in range(_PARTS):
            _read(cases, reads // _PARTS, Path(folder))
            states.append(Memory.now())
    return states


def _read(cases: list[Case], reads: int, folder: Path) -> None:
    for number in range(reads):
        outcome = try_case(cases[number % len(cases)], folder)
        assert outcome.finding is None, outcome.finding


def growth(states: list[Memory], reads: int) -> float:
    """The bytes per read by which memory in use has grown in the second half."""
    middle = states[_PARTS // 2]
    return (states[-1].in_use - middle.in_use) / (reads / 2)


def main() -> None:
    """Run the program as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.leaks", description=__doc__)
    parser.add_argument("--reads", type=int, default=10_000)
    parser.add_argument("--only", help="a kind, or how its name begins")
    options = parser.parse_args()
    states = grow(options.reads, options.only)
    print("   reads  resident   in use     kept    arrow    objects   (MiB)")
    for number, state in enumerate(states):
        print(f"{number * options.reads // _PARTS:8,}{state}")
    per_read = growth(states, options.reads)
    print(f"{per_read:,.0f} bytes per read in the second half; at most {MOST:,} are noise")
    sys.exit(1 if per_read > MOST else 0)


if __name__ == "__main__":
    main()
