"""One input is tried: it is accepted or refused, or the outcome is a finding."""

from __future__ import annotations

import contextlib
import re
import shutil
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.case import Case
from tests.fuzz.kinds import KINDS
from wlkg.compiled.compilation import compile_seconds
from wlkg.errors import WlkgError

#: What an input may take: seconds of processor time, and bytes beyond its own size.
SECONDS = 10.0
BYTES = 10**9
#: The most characters of a message.
LONGEST_MESSAGE = 5000


@dataclass(frozen=True)
class Finding:
    """What is wrong with the outcome of an input."""

    #: The same for findings that have the same cause, most likely.
    signature: str
    details: str


@dataclass(frozen=True)
class Outcome:
    """What became of an input; ``answer`` is ``accepted``, ``refused`` or ``finding``."""

    answer: str
    finding: Finding | None = None


def try_case(case: Case, folder: Path) -> Outcome:
    """Try an input in an empty folder, which is empty again afterwards."""
    _emptied(folder)
    path, out = folder / case.name, folder / "out"
    out.mkdir()
    path.write_bytes(case.data)
    _forget_peak()
    before, started = memory("VmRSS"), _seconds()
    outcome = _called(case, path, out)
    if outcome.finding is None:
        finding = (
            _too_slow(_seconds() - started)
            or _too_large(before, len(case.data))
            or _left_behind(folder)
        )
        if finding is not None:
            outcome = Outcome("finding", finding)
    _emptied(folder)
    return outcome


def _called(case: Case, path: Path, out: Path) -> Outcome:
    try:
        KINDS[case.kind].run(case, path, out)
    except WlkgError as error:
        if not 0 < len(str(error).strip()) <= LONGEST_MESSAGE:
            return Outcome("finding", Finding("an empty or endless message", str(error)[:1000]))
        return Outcome("refused")
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return Outcome("finding", Finding(signature(error), traceback.format_exc()[-4000:]))
    return Outcome("accepted")


def signature(error: BaseException) -> str:
    """The type of an exception and the last function of ours that it went through."""
    shown = getattr(error, "args", ("",))
    text = "".join(traceback.format_exception(error))
    frames = [line.strip() for line in text.splitlines() if "/wlkg/" in line and 'File "' in line]
    where = frames[-1].split("/wlkg/")[-1].replace('"', "") if frames else "outside wlkg"
    lines = [line for line in str(shown[0] if shown else "").splitlines() if line.strip()]
    last = lines[-2] if type(error).__name__ == "WrongEndingError" and len(lines) > 1 else ""
    return f"{type(error).__name__} {last[:60]} in {where}".replace("  ", " ")


def _seconds() -> float:
    """Processor time so far; what is compiled once, at whatever input, does not count."""
    return time.process_time() - compile_seconds()


def _too_slow(seconds: float) -> Finding | None:
    if seconds <= SECONDS:
        return None
    return Finding("too slow", f"{seconds:.1f} s of processor time, more than {SECONDS:g}")


def _too_large(before: int, size: int) -> Finding | None:
    grown = memory("VmHWM") - before
    if grown <= BYTES + size:
        return None
    return Finding("too large", f"{grown:,} bytes for an input of {size:,}")


def memory(field: str) -> int:
    """The bytes of memory that this process occupies (``VmRSS``), or did at its peak (``VmHWM``).

    Not ``ru_maxrss``: a process inherits that from the one that started it.
    """
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return 1024 * int(re.search(rf"^{field}:\s*(\d+) kB$", status, re.MULTILINE)[1])  # type: ignore[index]


def _forget_peak() -> None:
    """Let the peak be what is occupied now; where that is not allowed, it stays what it was."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _left_behind(folder: Path) -> Finding | None:
    parts = [path.name for path in folder.rglob("*.wlkg-part")]
    return Finding("a part of a file is left behind", ", ".join(parts)) if parts else None


def _emptied(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
