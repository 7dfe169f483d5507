"""Blocks of lines: none has so many that the numbers kept for each line would fill the memory."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor

import pytest

from wlkg.readers import lines
from wlkg.readers.lines import blocks


@pytest.mark.parametrize("most", [1, 2, 3, 100])
@pytest.mark.parametrize(
    "text", [b"", b"a", b"a\n", b"\n\n\n\n", b"a\nbb\n\nc\nd", b"a\r\n\r\nb\n"]
)
def test_blocks_have_few_lines_and_lose_none(
    text: bytes, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "BLOCK_LINES", most)
    with ThreadPoolExecutor(1) as pool:
        found = list(blocks(io.BytesIO(text), "f", pool))
    assert b"".join(block.raw for block in found).removesuffix(b"\n") == text.removesuffix(b"\n")
    number = 1
    for block in found:
        assert 1 <= len(block) <= most
        assert block.first_line == number
        assert block.is_blank == (not block.data.strip(b"\n"))
        number += len(block)
