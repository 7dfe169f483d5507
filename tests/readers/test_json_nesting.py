"""JSON-LD that is nested too deep is refused before the parser takes gigabytes or crashes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wlkg
from wlkg.errors import InputError
from wlkg.readers.json_nesting import CheckedJson

ABOUT = {"@context": {"@vocab": "a:"}}


def nested(depth: int, inside: str) -> str:
    return '{"@context": {"@vocab": "a:"}, "p": ' + '{"p": ' * depth + inside + "}" * (depth + 1)


def read(path: Path, text: str) -> wlkg.RelationalGraph:
    path.write_text(text, encoding="utf-8")
    return wlkg.read(path)


@pytest.mark.parametrize("inside", ['"x"', '{"@list": ["x"]}'])
def test_objects_nested_too_deep_are_refused(tmp_path: Path, inside: str) -> None:
    path = tmp_path / "g.jsonld"
    with pytest.raises(InputError, match="nested more than 500 deep") as refusal:
        read(path, nested(5_000, inside))
    assert str(path) in str(refusal.value)
    assert read(path, nested(400, '"x"')).num_triples == 401


def test_lists_nested_too_deep_are_refused(tmp_path: Path) -> None:
    text = nested(1, "[" * 600 + '"x"' + "]" * 600)
    with pytest.raises(InputError, match="nested more than 500 deep"):
        read(tmp_path / "g.jsonld", text)


def test_many_values_deep_inside_are_refused(tmp_path: Path) -> None:
    # 4 GB if it were parsed.
    values = json.dumps([str(number) for number in range(100_000)])
    with pytest.raises(InputError, match="nested in more than 12 objects on average"):
        read(tmp_path / "g.jsonld", nested(400, values))


def test_a_long_document_of_usual_depth_is_read(tmp_path: Path) -> None:
    people = [{"@id": f"a:{n}", "name": {"@value": f"{{[{n}"}} for n in range(20_000)]
    text = json.dumps({**ABOUT, "@graph": people})
    assert read(tmp_path / "g.jsonld", text).num_triples == 20_000


def depth_of(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


strings = st.text(alphabet='ab"\\{}[],:\n', max_size=6)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, max_size=3) | st.dictionaries(strings, inner, max_size=3)


documents = containers(st.recursive(strings, containers, max_leaves=12))


@given(document=documents, size=st.integers(1, 9))
def test_the_depth_is_that_of_the_values_whatever_strings_say(document: Any, size: int) -> None:
    text = json.dumps(document).encode()
    depth = depth_of(document)
    for limit in (depth - 1, depth):
        refused = False
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("wlkg.readers.json_nesting._DEEPEST", limit)
            try:
                checked = CheckedJson(text[:size], io.BytesIO(text[size:]), "x")
                while checked.read(size):
                    pass
            except InputError:
                refused = True
        assert refused == (limit < depth)
