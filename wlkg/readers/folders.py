"""Benchmark folders: ``train.txt``, ``valid.txt`` and ``test.txt``, or the id files of OpenKE."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from wlkg.errors import InputError, UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.triple_table import TripleTable
from wlkg.readers.edgelist import empty_name, read_edges
from wlkg.readers.lines import check_utf8
from wlkg.readers.options import ReadOptions
from wlkg.readers.source import COMPRESSIONS, Source

SPLITS = ("train", "valid", "test")
_CONTENT = "A folder must hold train.txt, or entity2id.txt, relation2id.txt and train2id.txt"
_SUFFIXES = {".txt": "txt", ".tsv": "tsv", ".csv": "csv"}
_number = re.compile(r"\s*([0-9]{1,18})\s*").fullmatch


def read_folder(source: Source, _format_name: str, options: ReadOptions) -> RelationalGraph:
    """Read the chosen splits of a folder as one graph."""
    folder = Path(source.path)
    splits = [word.strip() for word in options.splits.split(",") if word.strip()]
    unknown = [split for split in splits if split not in SPLITS]
    if unknown or not splits:
        raise UsageError(f"--splits takes any of {','.join(SPLITS)}, not {options.splits!r}")
    if (folder / "entity2id.txt").is_file():
        return _read_openke(folder, splits, source)
    table = TripleTable(source.progress)
    notes: list[str] = []
    for split in splits:
        path, format_name = _split_file(folder, split)
        notes += read_edges(source.beside(path), format_name, options, table)
    return _finished(table, folder, splits, notes=notes)


def check_folder(folder: str | Path) -> None:
    """Refuse a path that is no folder of splits."""
    if not Path(folder).is_dir():
        raise InputError(
            "expected a folder with train.txt and test.txt", path=folder, remedy=_CONTENT
        )


def has_split(folder: str | Path, split: str) -> bool:
    """Whether a folder holds a split, in either form."""
    return (Path(folder) / f"{split}2id.txt").is_file() or _find_split(
        Path(folder), split
    ) is not None


def _finished(
    table: TripleTable,
    folder: Path,
    splits: Iterable[str],
    vertices: Iterable[str] = (),
    notes: Iterable[str] = (),
) -> RelationalGraph:
    if not len(table):
        raise InputError(f"the folder holds no triple in {' or '.join(splits)}", path=folder)
    return RelationalGraph.from_arrays(**table.arrays(vertices), notes=notes)


def _split_file(folder: Path, split: str) -> tuple[Path, str]:
    file = _find_split(folder, split)
    if file is None:
        raise InputError(
            f"there is no {split}.txt, {split}.tsv or {split}.csv in this folder",
            path=folder,
            remedy=_CONTENT,
        )
    return file


def _find_split(folder: Path, split: str) -> tuple[Path, str] | None:
    """The file of a split and its format, or None."""
    for suffix, format_name in _SUFFIXES.items():
        for compression in ("", *COMPRESSIONS):
            path = folder / f"{split}{suffix}{compression}"
            if path.is_file():
                return path, format_name
    return None


def _read_openke(folder: Path, splits: list[str], source: Source) -> RelationalGraph:
    """OpenKE: names with ids, and triples ``head tail relation`` as ids.

    The first line of each file is the number of lines that follow. Entities that occur in none of
    the chosen splits are vertices, too.
    """
    entities = _names(folder / "entity2id.txt", source)
    relations = _names(folder / "relation2id.txt", source)
    table = TripleTable(source.progress)
    for split in splits:
        table.add_rows(_triples(folder / f"{split}2id.txt", entities, relations, source))
    return _finished(table, folder, splits, vertices=entities)


def _whole_number(text: str) -> int | None:
    """The number that a text holds between any white space, or None."""
    match = _number(text)
    # Only the digits: `int` does not accept every character that counts as white space.
    return None if match is None else int(match[1])


def _numbered_lines(path: Path, source: Source) -> Iterator[tuple[int, str]]:
    """The lines after the first, which must be their number."""
    data = source.beside(path).read_document()
    check_utf8(data, 1, str(path))
    lines = [line.removesuffix("\r") for line in data.decode().split("\n")]
    rest = [(number, line) for number, line in enumerate(lines[1:], 2) if line.strip()]
    announced = _whole_number(lines[0])
    if announced is None:
        raise InputError(
            f"expected the number of lines, found {lines[0][:40]!r}", path=path, line=1
        )
    if announced != len(rest):
        raise InputError(
            f"the first line announces {announced} lines, but {len(rest)} follow",
            path=path,
            line=1,
        )
    return iter(rest)


def _names(path: Path, source: Source) -> list[str]:
    """Names by id; the ids must be 0 .. n-1."""
    names: dict[int, str] = {}
    seen: set[str] = set()
    rows = list(_numbered_lines(path, source))
    for number, line in rows:
        name, separator, text = line.rpartition("\t" if "\t" in line else " ")
        index = _whole_number(text)
        if not separator or index is None:
            raise InputError("expected a name and its number", path=path, line=number)
        if not name:
            raise empty_name(str(path), number)
        if index >= len(rows) or index in names or name in seen:
            problem = (
                "occurs twice" if index < len(rows) else f"does not lie in 0 .. {len(rows) - 1}"
            )
            raise InputError(
                f"the number {index} or name {name!r} {problem}", path=path, line=number
            )
        names[index] = name
        seen.add(name)
    return [names[i] for i in range(len(rows))]


def _triples(
    path: Path, entities: list[str], relations: list[str], source: Source
) -> Iterator[tuple[str, str, str]]:
    for number, line in _numbered_lines(path, source):
        numbers = [_whole_number(field) for field in line.split()]
        if len(numbers) != 3 or None in numbers:
            raise InputError(
                f"expected head, tail and relation as numbers, found {line[:60]!r}",
                path=path,
                line=number,
            )
        head, tail, relation = (number for number in numbers if number is not None)
        for index, names, what in (
            (head, entities, "entity"),
            (tail, entities, "entity"),
            (relation, relations, "relation"),
        ):
            if index >= len(names):
                raise InputError(
                    f"{what} {index} does not lie in 0 .. {len(names) - 1}",
                    path=path,
                    line=number,
                    remedy="OpenKE lines are: head tail relation",
                )
        yield entities[head], relations[relation], entities[tail]
