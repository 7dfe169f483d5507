"""Collections of graphs: how the graphs of a folder are named."""

from __future__ import annotations

from pathlib import Path

from wlkg.readers.collection import read_collection
from wlkg.readers.read import read_all


def test_files_of_several_graphs_in_a_folder_are_numbered(tmp_path: Path) -> None:
    (tmp_path / "a.g6").write_bytes(b"A_\nBw\n")
    (tmp_path / "b.g6").write_bytes(b"C~\n")
    collection = read_collection(str(tmp_path), read_all)
    assert collection.names == ("a.g6#1", "a.g6#2", "b.g6")
    places = [collection.find(name) for name in ("a#2", "a.g6#1", "b", "b#1", "b.g6", "a", "3")]
    assert places == [1, 0, 2, 2, 2, None, None]
