"""Documents that are no certificates: always one clear error, never a crash and never for long."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.certificates import as_text, resealed
from wlkg.errors import InputError, TooLargeError, WlkgError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.verification.certificates import SCHEMA
from wlkg.verification.fields import parse
from wlkg.verification.verify import verify

ONE = RelationalGraph.from_triples([("a", "r", "b"), ("b", "r", "c"), ("c", "s", "a")])
TWO = RelationalGraph.from_triples([("x", "r", "y"), ("y", "r", "z"), ("z", "s", "x")])
OTHER = RelationalGraph.from_triples([("x", "r", "y"), ("y", "r", "z"), ("x", "s", "z")])

KINDS = {"same", "different", "isomorphic", "complete"}

#: A certificate of each kind, with the graphs that it is about.
CERTIFICATES: list[tuple[dict[str, Any], tuple[RelationalGraph, ...]]] = [
    (dict(wlkg.certify(*graphs, **options).document), graphs)
    for graphs, options in (
        ((ONE, TWO), {"fractional": True}),
        ((ONE, TWO), {"test": "weak-rwl"}),
        ((ONE, TWO), {"test": "mean-rwl"}),
        ((ONE, TWO), {"test": "1-rlwl"}),
        ((ONE, TWO), {"test": "2-wl"}),
        ((ONE, OTHER), {}),
        ((ONE, OTHER), {"test": "2-rlwl"}),
        ((ONE, TWO), {"isomorphic": True}),
        ((ONE,), {}),
    )
]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "the file is empty"),
        (b"nonsense", "line 1, column 1: not JSON"),
        (b"\xff\xfe{", "not UTF-8 text at byte 0"),
        (b"[" * 10**6, "nested too deeply"),
        (b'{"a":' * 10**5, "nested too deeply"),
        (b"[" * 10**5 + b"]" * 10**5, "nested too deeply"),
        (b'{"schema": 1' + b"0" * 10**6 + b"}", "found one with 1,000,001 characters"),
        (b'{"schema": -1' + b"0" * 30 + b"}", "found one with 32 characters"),
        (b'{"schema": NaN}', "expected whole numbers only, found 'NaN'"),
        (b'{"schema": -Infinity}', "expected whole numbers only"),
        (b'{"schema": 1e999999999}', "expected whole numbers only, found '1e999999999'"),
        (b'{"schema": 1.5}', "expected whole numbers only"),
        (b'{"a": 1, "a": 1}', "the key 'a' occurs twice"),
        (b"[]", "certificate: expected an object, found a list"),
        (b"null", "certificate: expected an object, found null"),
        (b"{}", "schema: expected 'wlkg/certificate/1', found null"),
        (b'{"schema": [[[[]]]]}', "schema: expected 'wlkg/certificate/1', found a list"),
        (b'{"schema": "wlkg/certificate/2"}', "found 'wlkg/certificate/2'"),
    ],
)
def test_text_that_is_no_certificate_is_refused(text: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(text)
    with pytest.raises(InputError, match=message) as refused:
        verify(path, ONE, TWO)
    assert str(refused.value).startswith(str(path))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "proven"}, "kind: expected same, different, isomorphic or complete"),
        ({"kind": {}}, "kind: expected a text, found an object"),
        ({"test": "0-wl"}, "test: expected 1-rwl, .* found '0-wl'"),
        ({"test": "99999999-wl"}, "with K up to 9"),
        ({"test": None}, "test: expected a text, found null"),
        ({"direction": "up"}, "direction: expected both or undirected or out or in, found 'up'"),
        ({"direction": []}, "direction: expected both or undirected or out or in, found a list"),
        ({"seal": 5}, "seal: expected a text, found 5"),
        ({"reading": []}, "reading: expected an object, found a list"),
        ({"reading": {"labels": {}}}, "reading, labels: expected a text"),
        ({"surprise": 1}, "certificate: the key 'surprise' is unknown"),
        ({"graphs": []}, "graphs: expected 2 entries, found 0"),
        ({"graphs": [1, 2]}, "graphs, entry 1: expected an object, found 1"),
        ({"colours": [[0], [0]]}, "colours, graph 1: expected 3 entries, found 1"),
        ({"colours": [[0, 1, 99], [0, 1, 2]]}, "graph 1, entry 2: .* below 3, found 99"),
        ({"colours": [[0, 1, True], [0, 1, 2]]}, "graph 1, entry 2: .* found true or false"),
        ({"classes": {}}, "classes: expected a list, found an object"),
        ({"classes": []}, "graph 1, entry 0: .* found"),
        ({"classes": [{}] * 3}, "classes, entry 0: the key '(size|label|arcs)' is missing"),
        ({"relations": [["r", False], ["r", False]]}, "one of them is listed twice"),
        ({"relations": [["r", 0]]}, "expected true or false, found 0"),
        ({"relations": []}, "expected a whole number from 0 on and below 0, found 0"),
        ({"fractional": ["1/1"]}, "fractional: expected 3 entries, found 1"),
        ({"fractional": ["2/2"] * 3}, "a rational p/q in lowest terms, found '2/2'"),
        ({"fractional": ["1/0"] * 3}, "a rational p/q in lowest terms, found '1/0'"),
        ({"fractional": [1] * 3}, "a rational p/q in lowest terms, found 1"),
    ],
)
def test_wrong_values_are_named_with_their_place(changes: dict[str, Any], message: str) -> None:
    document, graphs = CERTIFICATES[0]
    with pytest.raises(InputError, match=message):
        verify({**document, **changes}, *graphs)


@pytest.mark.parametrize("key", ["schema", "kind", "direction", "graphs", "seal", "colours"])
def test_missing_keys_are_named(key: str) -> None:
    document, graphs = CERTIFICATES[0]
    with pytest.raises(InputError, match=key):
        verify({name: value for name, value in document.items() if name != key}, *graphs)


def test_maps_with_unknown_or_repeated_vertices_are_refused() -> None:
    document, graphs = next(found for found in CERTIFICATES if found[0]["kind"] == "isomorphic")
    unknown = {**document, "map": [["a", "nobody"]]}
    with pytest.raises(InputError, match="entry 0: 'nobody' is no vertex of the second graph"):
        verify(unknown, *graphs)
    twice = {**document, "map": [["a", "x"], ["a", "y"]]}
    with pytest.raises(InputError, match="map: 'a' is mapped twice"):
        verify(twice, *graphs)
    onto_one = {**document, "map": [["a", "x"], ["b", "x"], ["c", "x"]]}
    assert "is the image of no vertex" in verify(onto_one, *graphs).reasons[0]
    half = {**document, "map": [["a", "\ud800"]]}
    with pytest.raises(InputError, match="is no vertex of the second graph"):
        verify(half, *graphs)


def test_tuples_beyond_the_limit_are_refused_before_they_are_listed() -> None:
    triples = [(str(i), "r", str(i + 1)) for i in range(500)]
    path = RelationalGraph.from_triples(triples)
    with pytest.raises(TooLargeError, match="steps per round, more than the 10,000,000 allowed"):
        wlkg.certify(path, path, "3-wl")
    document = {**wlkg.certify(path, path).document, "test": "9-fwl", "sizes": []}
    for key in ("relations", "classes"):
        del document[key]
    with pytest.raises(TooLargeError, match="steps per round"):
        verify(document, path, path)


def test_formulas_may_be_as_deep_as_they_like() -> None:
    depth = 5000
    lines: list[dict[str, Any]] = [{"op": "true"}]
    look = {"op": "at_least", "count": 1, "relation": "r", "inverse": False}
    lines += [{**look, "arg": number} for number in range(depth)]
    loop = RelationalGraph.from_triples([("a", "r", "a"), ("a", "r", "b")])
    line = RelationalGraph.from_triples([("a", "r", "b"), ("b", "r", "c")])
    document = wlkg.certify(loop, line).document
    deep = {**document, "formula": lines, "counts": [1, 0]}
    assert verify(resealed(deep), loop, line).valid


@given(found=st.sampled_from(CERTIFICATES), data=st.data())
@settings(max_examples=300)
def test_no_change_of_structure_causes_anything_but_an_error_or_a_verdict(
    found: tuple[dict[str, Any], tuple[RelationalGraph, ...]], data: Any
) -> None:
    document, graphs = found
    changed: Any = copy.deepcopy(document)
    junk: st.SearchStrategy[Any] = st.sampled_from(
        [None, True, -1, 10**17, 0.5, "", "r", [], {}, [[]], [None], {"op": "true"}, [0, 0, 1]]
    )
    for _ in range(data.draw(st.integers(1, 2))):
        place: Any = changed
        while isinstance(place, dict | list) and place:
            keys = sorted(place) if isinstance(place, dict) else range(len(place))
            key = data.draw(st.sampled_from(keys))
            inner = place[key]
            if not (isinstance(inner, dict | list) and inner) or data.draw(st.booleans()):
                break
            place = inner
        action = data.draw(st.sampled_from(["replace", "remove", "repeat"]))
        if action == "replace":
            place[key] = copy.deepcopy(data.draw(junk))
        elif action == "remove":
            del place[key]
        elif isinstance(place, list):
            place.append(copy.deepcopy(place[key]))
    with suppress(WlkgError):
        assert verify(resealed(changed), *graphs).kind in KINDS


@given(found=st.sampled_from(CERTIFICATES), data=st.data())
@settings(max_examples=200)
def test_damaged_text_is_refused_or_does_not_hold(
    found: tuple[dict[str, Any], tuple[RelationalGraph, ...]], data: Any
) -> None:
    document, graphs = found
    text = bytearray(as_text(document))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    with suppress(WlkgError):
        changed = parse(bytes(text))
        if isinstance(changed, dict):
            assert verify(changed, *graphs).valid == (changed == document)


def test_the_schema_is_what_the_documentation_says() -> None:
    assert all(document["schema"] == SCHEMA for document, _ in CERTIFICATES)
    assert all(json.loads(as_text(document)) == document for document, _ in CERTIFICATES)
