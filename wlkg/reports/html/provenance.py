"""How a result was computed: command, version, seconds, and inputs with their digests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wlkg.reports.html.escaping import name_of, text_of
from wlkg.reports.numbers import written


def provenance_html(provenance: Mapping[str, Any]) -> str:
    """The facts in small print; empty if there are none."""
    facts = {key: value for key, value in provenance.items() if value not in (None, "", [], {})}
    if not facts:
        return ""
    rows = "".join(
        f"<dt>{text_of(key.replace('_', ' '))}</dt><dd>{_value(key, value)}</dd>"
        for key, value in facts.items()
    )
    summary = "<summary>How this was computed</summary>"
    return f'<details class="provenance">{summary}<dl>{rows}</dl></details>'


def _value(key: str, value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{text_of(k)} {_value(str(k), v)}" for k, v in value.items())
    if isinstance(value, list | tuple):
        return f"<ul>{''.join(f'<li>{_value(key, item)}</li>' for item in value)}</ul>"
    if key in ("sha256", "command"):
        return f"<code>{text_of(value)}</code>"
    if isinstance(value, str):
        return name_of(value)
    style = "seconds" if "seconds" in key else "number"
    return text_of(written(value, style))
