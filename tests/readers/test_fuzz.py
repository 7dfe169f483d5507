"""Any bytes, under any suffix, either load or raise the project's own error."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wlkg
from tests.readers.compression import COMPRESS
from tests.readers.valid_documents import VALID
from wlkg.readers.formats import FORMATS, SUFFIXES


@st.composite
def damaged(draw: st.DrawFn, document: bytes) -> bytes:
    """A document with a few bytes changed, inserted, deleted or repeated."""
    data = bytearray(document)
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["change", "insert", "delete", "repeat", "cut"])):
            case "change":
                data[place : place + 1] = draw(st.binary(min_size=1, max_size=1))
            case "insert":
                telling = st.sampled_from(
                    [b"\n", b"\r", b"\0", b'"', b"<", b"&", b"#", b"\\u", b"~~"]
                )
                data[place:place] = draw(st.one_of(telling, st.binary(max_size=6)))
            case "delete":
                del data[place : place + draw(st.integers(1, 30))]
            case "repeat":
                data[place:place] = data[place : place + draw(st.integers(1, 30))]
            case "cut":
                del data[place:]
    return bytes(data)


def loads_or_refuses(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    message = str(path)
    try:
        for graph in wlkg.read_all(path):
            assert len(set(graph.vertex_names)) == graph.num_vertices
    except wlkg.WlkgError as error:
        message = str(error)
    assert str(path) in message


def test_every_format_has_a_valid_document(tmp_path: Path) -> None:
    assert set(VALID) == set(FORMATS) - {"folder"}
    for suffix, name in SUFFIXES.items():
        for document in VALID[name]:
            path = tmp_path / f"valid{suffix}"
            path.write_bytes(document)
            assert wlkg.read_all(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_bytes_load_or_are_refused(scratch: Path, suffix: str, data: st.DataObject) -> None:
    documents = [damaged(document) for document in VALID[SUFFIXES[suffix]]]
    content = data.draw(st.one_of(*documents, *documents, st.binary(max_size=60)))
    loads_or_refuses(scratch / f"any{suffix}", content)


@pytest.mark.parametrize("suffix", COMPRESS)
@settings(deadline=None, max_examples=40)
@given(st.data())
def test_any_compressed_bytes_load_or_are_refused(
    scratch: Path, suffix: str, data: st.DataObject
) -> None:
    content = data.draw(damaged(COMPRESS[suffix](VALID["ntriples"][0])))
    loads_or_refuses(scratch / f"any.nt{suffix}", content)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_any_files_in_a_folder_load_or_are_refused(scratch: Path, data: st.DataObject) -> None:
    folder = scratch / "openke"
    folder.mkdir(exist_ok=True)
    files = {
        "entity2id.txt": b"3\nann\t0\nbob\t1\nc d\t2\n",
        "relation2id.txt": b"1\nknows\t0\n",
        "train2id.txt": b"2\n0 1 0\n1 2 0\n",
    }
    for name, content in files.items():
        (folder / name).write_bytes(data.draw(damaged(content)))
    message = str(folder)
    try:
        wlkg.read(folder)
    except wlkg.WlkgError as error:
        message = str(error)
    assert str(folder) in message


def test_many_small_members_of_a_compressed_file_are_one_text(tmp_path: Path) -> None:
    path = tmp_path / "members.nt.gz"
    path.write_bytes(b"".join(gzip.compress(b"<a:%d> <a:r> <a:b> .\n" % i) for i in range(50)))
    assert wlkg.read(path).num_triples == 50
