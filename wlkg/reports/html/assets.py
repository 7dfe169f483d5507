"""The script and the style of a page, and the policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

#: In the order in which they depend on each other.
_SCRIPTS = (
    "dom.js",
    "signature.js",
    "why.js",
    "histogram.js",
    "drawing.js",
    "neighbourhoods.js",
    "tables.js",
    "page.js",
)
_STYLES = ("page.css", "drawing.css")


def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


@cache
def script() -> str:
    """All scripts as one, in a scope of its own."""
    return "(() => {\n'use strict';\n" + "\n".join(map(_asset, _SCRIPTS)) + "})();\n"


@cache
def style() -> str:
    """All styles as one."""
    return "\n".join(map(_asset, _STYLES))


@cache
def policy() -> str:
    """The content-security policy: this script and this style, and no request to anywhere.

    Styles and scripts in attributes are blocked too, so even markup that slipped through the
    escaping could neither run nor load anything.
    """
    return (
        f"default-src 'none'; script-src '{_hash(script())}'; style-src '{_hash(style())}';"
        " base-uri 'none'; form-action 'none'"
    )


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
