"""How much memory is free, and sizes as people write them."""

from __future__ import annotations

import os
import re
from pathlib import Path

from wlkg.errors import TooLargeError, UsageError

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)\s*([kmgt]?)(i?)b?", re.IGNORECASE | re.ASCII)


def parse_size(text: str) -> int:
    """The bytes of a size such as ``4G``, ``1.5GB`` or ``512MiB``.

    >>> parse_size("1.5G"), parse_size("512MiB")
    (1500000000, 536870912)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"{text!r} is not a memory size. Write it as 4G, 1.5GB or 512MiB")
    number, unit, binary = match.groups()
    power = _UNITS[unit.lower()]
    if binary:
        power = 1024 ** (list(_UNITS).index(unit.lower()))
    return int(float(number) * power)


def spoken_size(size: float) -> str:
    """A size as people say it.

    >>> spoken_size(12_345_678_901), spoken_size(5_000_000)
    ('12.3 GB', '5 MB')
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def check_fits(what: str, content: str, needed: int, limit: int | None, remedy: str) -> None:
    """Refuse work that needs more bytes than ``limit``, by default half of the free memory."""
    allowed = free_memory() // 2 if limit is None else limit
    if needed > allowed:
        raise TooLargeError(
            f"{what} has {content} and needs {needed:,} bytes of memory, more than the {allowed:,}"
            f" allowed. Allow more with --max-memory, or {remedy}"
        )


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that memory ran out; PyTorch has no class of its own for that."""
    words = ("DefaultCPUAllocator", "out of memory")
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and any(word in str(error) for word in words)
    )


def free_memory() -> int:
    """The bytes that this process may still allocate, within its control group and its limits."""
    return min(_available(), _left_in_group(), _left_in_limit())


def _available() -> int:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvail"))
    except (OSError, StopIteration, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 4 * 10**9


def _left_in_limit() -> int:
    """What ``ulimit -v`` leaves of the address space."""
    try:
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (ImportError, OSError, ValueError):  # not a Unix, or no such file
        return 2**63
    if limit == resource.RLIM_INFINITY:
        return 2**63
    return max(limit - used * resource.getpagesize(), 0)


def _left_in_group() -> int:
    group = Path("/sys/fs/cgroup")
    try:
        limit = (group / "memory.max").read_text(encoding="ascii").strip()
        used = int((group / "memory.current").read_text(encoding="ascii"))
        details = (group / "memory.stat").read_text(encoding="ascii").split()
        cached = int(details[details.index("inactive_file") + 1])
        return max(int(limit) - used + cached, 0)
    except (OSError, ValueError):  # no such file, or no limit: "max"
        return 2**63
