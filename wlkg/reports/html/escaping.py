r"""Text from anywhere as HTML text or JSON: never markup, and never control of what is around it.

Control characters, marks that turn the direction of text, and halves of surrogate pairs are written
as escapes such as ``\u202e``, as in the terminal: a browser would drop or obey them.
"""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

#: Control characters (tab and line feed aside), direction marks, line separators, surrogates and
#: characters that are none.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb"
    "\ufffe\uffff\ud800-\udfff]"
)
_IN_JSON = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}
_JSON_MARK = re.compile("[<>&\u2028\u2029]")


def visible(text: str) -> str:
    r"""The text with what cannot be seen written out.

    >>> visible("a\x00b\u202ec")
    'a\\x00b\\u202ec'
    """
    return _UNSEEN.sub(lambda match: _written_out(match[0]), text)


def _written_out(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def text_of(value: object) -> str:
    """A value as HTML text, also safe between double quotes."""
    return escape(visible(str(value)), quote=True)


def name_of(name: str) -> str:
    """A name from the input: it cannot turn the direction of the text around it."""
    return f"<bdi>{text_of(name)}</bdi>"


def cut(name: str, width: int) -> str:
    """A name cut after its first third: the end of an IRI says most."""
    name = visible(name)
    if len(name) <= width:
        return name
    front = (width - 1) // 3
    return f"{name[:front]}…{name[len(name) - (width - 1 - front) :]}"


def label(name: str, width: int) -> str:
    """A name as it stands beside a vertex: of an IRI its last part, and no more than some letters.

    >>> label("http://example.org/people#ada", 16), label('"http://example.org/"', 10)
    ('ada', '"ht….org/"')
    """
    is_iri = "://" in name and not name.startswith('"')
    ending = name[max(name.rfind("#"), name.rfind("/")) + 1 :] if is_iri else name
    return cut(ending or name, width)


def json_of(value: Any) -> str:
    """JSON for a script element: nothing in it ends the element or opens a comment."""
    text = json.dumps(_visible_in(value), ensure_ascii=False, separators=(",", ":"))
    return _JSON_MARK.sub(lambda match: _IN_JSON[match[0]], text)


def _visible_in(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {visible(str(key)): _visible_in(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_visible_in(item) for item in value]
    return value
