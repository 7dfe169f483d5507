"""Reading graphs: `read` gives one graph, `read_all` every graph of a file.

Both take a path, ``-`` for standard input (with ``format``), ``FILE#3`` for the third graph of a
file with several graphs, or ``example:NAME`` for a built-in graph. The format decides which reader
does the work; see `wlkg.readers.formats`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wlkg.errors import GraphError, InputError, UsageError
from wlkg.examples import PREFIX, example
from wlkg.progress import SILENT, Progress
from wlkg.readers.formats import FORMATS, find_format
from wlkg.readers.options import ReadOptions
from wlkg.readers.source import STDIN, Source

if TYPE_CHECKING:
    from wlkg.catalogue import Direction
    from wlkg.graph.relational_graph import RelationalGraph

#: ``FILE#all`` means all graphs of a file.
ALL = "all"
_is_number = re.compile("-?[0-9]{1,9}").fullmatch


def read(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    direction: Direction | None = None,
    progress: Progress = SILENT,
    **options: Any,
) -> RelationalGraph:
    """The graph at ``path``; ``options`` are the fields of `ReadOptions`."""
    graphs, choice = _read(str(path), format, progress, ReadOptions(**options))
    if choice == ALL or (choice is None and len(graphs) > 1):
        raise InputError(
            f"the file holds {len(graphs)} graphs",
            path=path,
            remedy=f"Choose one: '{path}#1' to '{path}#{len(graphs)}'",
        )
    return graphs[0].with_direction(direction).with_name(str(path))


def read_all(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    direction: Direction | None = None,
    progress: Progress = SILENT,
    **options: Any,
) -> list[RelationalGraph]:
    """All graphs of a file; ``FILE#all`` means the same as ``FILE``."""
    graphs, _ = _read(str(path), format, progress, ReadOptions(**options))
    return [graph.with_direction(direction) for graph in graphs]


def _read(
    text: str,
    format_name: str | None,
    progress: Progress,
    options: ReadOptions,
) -> tuple[Sequence[RelationalGraph], str | None]:
    """The graphs of a path or example, and what follows its ``#``: a number, ``all`` or None."""
    if text.startswith(PREFIX):
        return [example(text)], None
    path, choice = split_choice(text)
    graphs = _read_file(Source(path, progress, options.max_input), format_name, options)
    if choice is not None and choice != ALL:
        graphs = [_chosen(graphs, choice, path)]
    return graphs, choice


def _read_file(
    source: Source, format_name: str | None, options: ReadOptions
) -> Sequence[RelationalGraph]:
    name = find_format(source.path, format_name)
    try:
        content = FORMATS[name].reader()(source, name, options)
    except GraphError as error:
        raise InputError(str(error), path=source.path) from error
    return content if isinstance(content, Sequence) else [content]


def split_choice(text: str) -> tuple[str, str | None]:
    """The path and the choice of ``FILE#3`` or ``FILE#all``, unless a file has this whole name."""
    path, mark, choice = text.rpartition("#")
    if mark and (choice == ALL or _is_number(choice)) and not os.path.exists(text):  # noqa: PTH110  never raises
        return path, choice
    return text, None


def _chosen(graphs: Sequence[RelationalGraph], choice: str, path: str) -> RelationalGraph:
    if not 1 <= int(choice) <= len(graphs):
        raise UsageError(
            f"{path}#{choice}: graphs are counted from 1, and the file holds {len(graphs)}"
        )
    return graphs[int(choice) - 1]


def names_a_graph(text: str) -> bool:
    """Whether a text is the name of a file, a folder or an example, rather than of a vertex."""
    return text.startswith(PREFIX) or os.path.exists(split_choice(text)[0])  # noqa: PTH110


def input_file(text: str) -> Path | None:
    """The file or folder that a graph argument names; None for an example or standard input."""
    if text.startswith(PREFIX) or text == STDIN:
        return None
    return Path(split_choice(text)[0])
