"""Running users' code: its output stays off stdout, and what it raises becomes an error.

While a user's code is loaded, built or run, its folder is first on ``sys.path``, its output goes to
stderr, and new tensors have the given dtype (so that ``torch.zeros(n, d)`` fits ``x``). When it
raises, the message shows its own frames and none of ours.
"""

from __future__ import annotations

import contextlib
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import torch

from wlkg.errors import InputError, WlkgError
from wlkg.gnn.own_models.graph_inputs import NODE, EdgeType, edge_types
from wlkg.memory import is_out_of_memory

T = TypeVar("T")

#: Folders whose frames in a traceback are never the user's.
_NOT_THEIRS = (Path(sysconfig.get_path("stdlib")), Path(__file__).absolute().parents[2])
_INSTALLED = {"site-packages", "dist-packages"}
_MOST_LINES, _MOST_CHARACTERS = 8, 300


@dataclass(frozen=True)
class Given:
    """What a class or factory that makes a model may ask for."""

    in_width: int
    width: int
    relations: int
    layers: int
    vertices: int
    seed: int = 0
    dtype: torch.dtype = torch.float64
    #: Nothing is dropped, and attention has one head, unless the model has a default for it.
    dropout: float = 0.0
    heads: int = 1
    #: The names of the relations; numbers if there are none.
    relation_names: tuple[str, ...] = ()
    #: What inputs made for the model may take, in bytes.
    max_memory: int | None = None

    @property
    def names_of_relations(self) -> tuple[str, ...]:
        return self.relation_names or tuple(f"r{number}" for number in range(self.relations))

    @property
    def edge_types(self) -> list[EdgeType]:
        """The types of edges as in ``HeteroData``."""
        return edge_types(self.names_of_relations)

    @property
    def node_types(self) -> list[str]:
        return [NODE]

    @property
    def metadata(self) -> tuple[list[str], list[EdgeType]]:
        """The types of vertices and edges as in ``HeteroData.metadata()``."""
        return self.node_types, self.edge_types


@dataclass(frozen=True)
class Host:
    """Runs a user's code, keeps its output off stdout, and turns what it raises into an error."""

    name: str
    given: Given
    #: The folder of the user's code, if it is in files.
    folder: Path | None
    #: Whether the code may import modules of that folder by name.
    on_path: bool

    def run(self, doing: str, code: Callable[[], T]) -> T:
        try:
            with self._surroundings():
                return code()
        except WlkgError:
            raise
        except (Exception, SystemExit) as error:
            if is_out_of_memory(error):
                raise MemoryError from error
            details = _shortened_traceback(error, self.folder)
            message = "\n  ".join([f"{self.name} failed while {doing}", *details])
            raise InputError(message) from error

    @contextlib.contextmanager
    def _surroundings(self) -> Iterator[None]:
        before = torch.get_default_dtype()
        folder = str(self.folder)
        if self.on_path:
            sys.path.insert(0, folder)
        torch.set_default_dtype(self.given.dtype)
        try:
            with contextlib.redirect_stdout(sys.stderr):
                yield
        finally:
            torch.set_default_dtype(before)
            if self.on_path and folder in sys.path:
                sys.path.remove(folder)


def is_clash(error: InputError) -> bool:
    """Whether floating-point types do not fit together; an index that is no integer is no clash."""
    cause = error.__cause__
    words = ("dtype", "scalar type", "Float", "Double")
    if not isinstance(cause, RuntimeError) or "indices" in str(cause):
        return False
    return any(word in str(cause) for word in words)


def _shortened_traceback(error: BaseException, folder: Path | None) -> list[str]:
    """The frames of the user's own code, then the exception."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if _theirs(f.filename, folder)]
    shown = [_frame(f"{_place(f.filename, f.lineno)} in {f.name}", f.line) for f in frames]
    text = str(error) if _has_text(error) else ""
    if isinstance(error, SyntaxError) and error.filename is not None:
        shown.append(_frame(_place(error.filename, error.lineno), error.text))
        text = error.msg
    if len(shown) > _MOST_LINES:
        left = [f"... {len(shown) - 5:,} more calls"]
        shown = [*shown[:2], left, *shown[-3:]]
    name = type(error).__name__
    return [line for lines in shown for line in lines] + _shortened_text(
        f"{name}: {text}" if text else name
    )


def _frame(place: str, source: str | None) -> list[str]:
    return [place, *(f"  {line.strip()}" for line in (source or "").split("\n") if line.strip())]


def _has_text(error: BaseException) -> bool:
    """Whether the exception has a text; the ``__str__`` of a user's own class may fail."""
    try:
        return bool(str(error))
    except Exception:  # noqa: BLE001
        return False


def _shortened_text(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.strip().split("\n")]
    cut = [
        line if len(line) <= _MOST_CHARACTERS else line[:_MOST_CHARACTERS] + "…" for line in lines
    ]
    if len(cut) > _MOST_LINES:
        cut[_MOST_LINES:] = [f"... {len(cut) - _MOST_LINES:,} more lines"]
    return [cut[0], *(f"  {line}" for line in cut[1:])]


def _theirs(filename: str, folder: Path | None) -> bool:
    path = Path(filename).absolute()
    if folder is None or filename.startswith("<frozen") or _INSTALLED & set(path.parts):
        return False
    return path.is_relative_to(folder) and not any(path.is_relative_to(p) for p in _NOT_THEIRS)


def _place(filename: str, line: int | None) -> str:
    here = Path.cwd()
    path = Path(filename)
    return f"{path.relative_to(here) if path.is_relative_to(here) else path}:{line}"
