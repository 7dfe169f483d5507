"""Whatever a library raises about a document becomes our own error; our own bugs stay visible."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pyarrow.parquet as pq
import pyoxigraph as ox
import pytest

import wlkg
from tests.readers.valid_documents import VALID
from wlkg.errors import InputError, TooLargeError
from wlkg.readers import rdf_stream, source
from wlkg.readers.complaints import complaints


class Panic(BaseException):
    """Not an Exception, as the panics of Rust libraries."""


ANYTHING = [RuntimeError("boom"), ArithmeticError("boom"), StopIteration("boom"), Panic("boom")]


@pytest.mark.parametrize("error", ANYTHING, ids=repr)
@pytest.mark.parametrize(
    ("suffix", "library", "function"),
    [
        (".gexf", nx, "read_gexf"),
        (".graphml", nx, "read_graphml"),
        (".json", nx, "node_link_graph"),
        (".json", json, "loads"),
        (".parquet", pq, "ParquetFile"),
        (".ttl", ox, "parse"),
        (".rdf", ox, "parse"),
    ],
)
def test_whatever_a_library_raises_is_an_input_error(
    suffix: str,
    library: Any,
    function: str,
    error: BaseException,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    path = tmp_path / f"valid{suffix}"
    name = {"ttl": "turtle", "rdf": "rdfxml"}.get(suffix[1:], suffix[1:])
    path.write_bytes(VALID[name][0])
    monkeypatch.setattr(library, function, fail)
    with pytest.raises(InputError, match="boom") as caught:
        wlkg.read(path)
    assert caught.value.path == str(path)


def test_an_unknown_class_of_gexf_attributes_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "odd.gexf"
    path.write_text(
        '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph>'
        '<attributes class="odd"><attribute id="0" title="t" type="string"/></attributes>'
        '<nodes><node id="a" label="a"/></nodes></graph></gexf>'
    )
    with pytest.raises(InputError, match="it holds something that the library which reads it does"):
        wlkg.read(path)


def test_a_decompressor_may_raise_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def read(self, _: int) -> bytes:
            raise RuntimeError("boom")

    monkeypatch.setitem(source.COMPRESSIONS, ".gz", (b"x", lambda _: Broken()))
    path = tmp_path / "g.tsv.gz"
    path.write_bytes(b"xyz")
    with pytest.raises(InputError, match="the compressed data is damaged or cut short: boom"):
        wlkg.read(path)


@pytest.mark.parametrize("error", [MemoryError(), KeyboardInterrupt(), TooLargeError("no")])
def test_what_says_nothing_about_the_document_is_left_alone(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught, complaints("not readable", "file"):
        raise error
    assert caught.value is error


def test_types_that_the_caller_handles_are_left_to_it() -> None:
    with pytest.raises(SyntaxError), complaints("not readable", "file", handled=(SyntaxError,)):
        raise SyntaxError


def call_back(function: Callable[[], object]) -> None:
    """Stands for a library, which is no part of this package."""
    function()


def test_a_bug_in_our_own_code_that_a_library_calls_stays_visible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="not readable: boom"), complaints("not readable", "file"):
        call_back(_raise)

    def forgetful(_: object) -> None:
        raise RuntimeError("our own bug")

    monkeypatch.setattr(rdf_stream, "check_open_terms", namespaced(forgetful))
    path = tmp_path / "g.ttl"
    path.write_text("<a:a> <a:b> <a:c> .")
    with pytest.raises(RuntimeError, match="our own bug"):
        wlkg.read(path)


def _raise() -> None:
    raise RuntimeError("boom")


def namespaced(function: Any) -> Any:
    """The function as if it were defined in the package."""
    return type(function)(function.__code__, {**function.__globals__, "__name__": "wlkg.x"})
