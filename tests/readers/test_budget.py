"""A small input cannot grow without limit, and memory follows what a file holds."""

from __future__ import annotations

import gzip
import io
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import wlkg
from tests.cli.running import PROGRAM
from tests.readers.compression import COMPRESS
from tests.readers.family import RDF
from tests.readers.valid_documents import VALID
from wlkg.errors import InputError, TooLargeError, UsageError
from wlkg.readers import budget, graph6, source
from wlkg.readers.source import Source
from wlkg.readers.tables import read_table


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs may grow to ten times their size, or 20,000 bytes."""
    monkeypatch.setattr(budget, "_FLOOR", 20_000)
    monkeypatch.setattr(budget, "_TABLE_FLOOR", 20_000)
    monkeypatch.setattr(budget, "_FACTOR", 10)


def read(path: Path, data: bytes, **options: Any) -> wlkg.RelationalGraph:
    path.write_bytes(data)
    return wlkg.read(path, **options)


# -- decompressed size ----------------------------------------------------------------------------

LINE = {".tsv": b"a\tb\tc\n", ".nt": b"<a:a> <a:b> <a:c> .\n", ".ttl": b"<a:a> <a:b> <a:c> .\n"}


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize("suffix", LINE)
def test_a_compressed_file_that_grows_too_much_is_refused(
    tmp_path: Path, suffix: str, compression: str
) -> None:
    path = tmp_path / f"bomb{suffix}{compression}"
    data = COMPRESS[compression](LINE[suffix] * 50_000)
    message = r"bytes of input grow to more than the \d+,\d+ bytes allowed.*--max-input"
    with pytest.raises(TooLargeError, match=message):
        read(path, data)
    assert read(path, data, max_input=2_000_000).num_triples == 1
    with pytest.raises(TooLargeError, match="more than the 100 bytes allowed"):
        read(path, data, max_input=100)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("suffix", LINE)
def test_a_plain_file_of_any_size_is_read_unless_the_user_sets_a_limit(
    tmp_path: Path, suffix: str
) -> None:
    path, data = tmp_path / f"plain{suffix}", LINE[suffix] * 50_000
    assert read(path, data).num_triples == 1
    with pytest.raises(TooLargeError, match="--max-input"):
        read(path, data, max_input=10_000)


@pytest.mark.usefixtures("strict")
def test_growth_is_measured_against_what_was_read_so_far(tmp_path: Path) -> None:
    """Data that hardly shrinks may be of any size."""
    numbers = np.random.default_rng(1).integers(0, 10**9, (20_000, 2))
    data = b"".join(b"%d\tr\t%d\n" % (h, t) for h, t in numbers.tolist())
    assert read(tmp_path / "honest.tsv.gz", gzip.compress(data)).num_triples == 20_000


@pytest.mark.parametrize("name", ["labels.tsv.gz", "targets.csv.xz"])
@pytest.mark.usefixtures("strict")
def test_tables_about_vertices_are_limited_too(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(COMPRESS[path.suffix](b"a\tb\n" * 50_000))
    with pytest.raises(TooLargeError, match="If you trust it, decompress it first"):
        read_table(str(path))


@pytest.mark.usefixtures("strict")
def test_the_columns_of_a_parquet_file_count_as_they_are_decompressed(tmp_path: Path) -> None:
    table = pa.table({name: ["a" * 50] * 5_000 for name in ("head", "relation", "tail")})
    path = tmp_path / "g.parquet"
    pq.write_table(table, path, compression="zstd")
    with pytest.raises(TooLargeError, match=r"allowed \(with its columns decompressed\)"):
        wlkg.read(path)
    assert wlkg.read(path, max_input=10**6).num_triples == 1


@pytest.mark.usefixtures("strict")
def test_every_file_of_a_folder_has_the_limit_that_the_user_sets(tmp_path: Path) -> None:
    (tmp_path / "train.tsv.gz").write_bytes(gzip.compress(LINE[".tsv"] * 50_000))
    with pytest.raises(TooLargeError):
        wlkg.read(tmp_path)
    assert wlkg.read(tmp_path, max_input=10**6).num_triples == 1


def test_a_negative_limit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="must not be negative, found -1"):
        read(tmp_path / "g.tsv", LINE[".tsv"], max_input=-1)


# -- XML ------------------------------------------------------------------------------------------


def rdf_xml(body: str, declarations: str = "") -> bytes:
    return (
        f'<?xml version="1.0"?>\n<!DOCTYPE rdf:RDF [{declarations}]>\n<rdf:RDF xmlns:rdf="{RDF}" '
        f'xmlns:e="http://e/"><rdf:Description rdf:about="http://e/a">{body}</rdf:Description>'
        "</rdf:RDF>"
    ).encode()


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("name", ["bomb.rdf", "bomb.rdf.gz"])
@pytest.mark.parametrize("place", ["<e:p>&x;&x;&x;</e:p>", '<e:p rdf:resource="http://e/&x;"/>'])
def test_what_xml_entities_expand_to_counts_as_input(tmp_path: Path, name: str, place: str) -> None:
    data = rdf_xml(place * 400, f'<!ENTITY x "{"y" * 900}">')
    packed = gzip.compress(data) if name.endswith(".gz") else data
    with pytest.raises(TooLargeError, match=r"allowed \(with its XML entities expanded\)"):
        read(tmp_path / name, packed)
    assert read(tmp_path / name, packed, max_input=2_000_000).num_triples == 1


def nested(depth: int) -> bytes:
    return rdf_xml("<e:p><rdf:Description>" * depth + "</rdf:Description></e:p>" * depth)


def test_rdf_xml_is_refused_if_it_is_nested_too_deep(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 3: elements are nested more than 2,000 deep"):
        read(tmp_path / "deep.rdf", nested(50_000))
    assert read(tmp_path / "less.rdf", nested(990)).num_triples == 990


def test_text_that_looks_like_tags_does_not_change_the_depth(tmp_path: Path) -> None:
    hidden = '<e:p e:q="/>"><!-- /> --><rdf:Description e:r="</x>">'.replace("</x>", "/>/>")
    with pytest.raises(InputError, match="nested more than 2,000 deep"):
        read(tmp_path / "deep.rdf", rdf_xml(hidden * 5_000))
    flat = "<e:p><![CDATA[" + "<a>" * 5_000 + "]]></e:p><!--" + "<a>" * 5_000 + "-->"
    assert read(tmp_path / "flat.rdf", rdf_xml(flat)).num_triples == 1


# -- graph6 ---------------------------------------------------------------------------------------


def sparse6_of(vertices: int) -> bytes:
    return b":~~" + bytes(63 + (vertices >> shift & 63) for shift in range(30, -6, -6)) + b"\n"


@pytest.mark.parametrize("vertices", [1 << 20, 1 << 24, (1 << 36) - 1])
def test_a_few_bytes_of_sparse6_cannot_declare_a_million_vertices(
    tmp_path: Path, vertices: int
) -> None:
    with pytest.raises(TooLargeError, match=f"sparse6 declares {vertices:,} vertices"):
        read(tmp_path / "large.s6", sparse6_of(vertices))


def test_a_sparse_graph_with_many_vertices_is_read(tmp_path: Path) -> None:
    assert read(tmp_path / "large.s6", sparse6_of(100_000)).num_vertices == 100_000
    network: nx.Graph[int] = nx.path_graph(60_000)
    line = nx.to_sparse6_bytes(network, header=False)
    assert read(tmp_path / "path.s6", line).num_vertices == 60_000


def test_the_vertices_of_all_graphs_of_a_file_count(tmp_path: Path) -> None:
    path = tmp_path / "many.s6"
    path.write_bytes(sparse6_of(100_000) * 20)
    with pytest.raises(TooLargeError, match="declares 100,000 vertices"):
        wlkg.read_all(path)
    assert wlkg.read(f"{path}#20").num_vertices == 100_000


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The lines that were decoded."""
    lines: list[bytes] = []
    decode = graph6.decode_line

    def remember(line: bytes, *rest: Any) -> wlkg.RelationalGraph:
        lines.append(line)
        return decode(line, *rest)

    monkeypatch.setattr(graph6, "decode_line", remember)
    return lines


def test_more_graphs_than_a_file_may_hold_are_refused_before_any_is_decoded(
    tmp_path: Path, decoded: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "many.g6.gz"
    path.write_bytes(gzip.compress(b"@\n" * 400_000))
    with pytest.raises(TooLargeError, match=r"allowed \(it holds 400,000 graphs\)"):
        wlkg.read_all(path)
    monkeypatch.setattr(graph6, "MOST_GRAPHS", 1_000)
    with pytest.raises(TooLargeError, match="more than the 1,000 graphs"):
        wlkg.read_all(path, max_input=10**9)
    assert decoded == []


def test_only_the_chosen_graph_is_decoded(tmp_path: Path, decoded: list[bytes]) -> None:
    path = tmp_path / "several.g6"
    path.write_bytes(b"@\nA_\nBw\n")
    with pytest.raises(InputError, match="the file holds 3 graphs"):
        wlkg.read(path)
    assert decoded == []
    assert wlkg.read(f"{path}#3").num_vertices == 3
    assert decoded == [b"Bw"]


# -- memory follows the content -------------------------------------------------------------------


def test_documents_are_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Watched(io.BytesIO):
        largest = 0

        def read(self, size: int | None = -1, /) -> bytes:
            Watched.largest = max(
                Watched.largest, sys.maxsize if size is None or size < 0 else size
            )
            return super().read(size)

    content = b"\xef\xbb\xbf" + bytes(range(256)) * 20_000
    monkeypatch.setattr(source, "_gzip", lambda _: Watched(content))
    monkeypatch.setitem(source.COMPRESSIONS, ".gz", (b"\x1f\x8b", lambda _: Watched(content)))
    path = tmp_path / "d.json.gz"
    path.write_bytes(gzip.compress(content))
    assert Source(str(path)).read_document() == content[3:]
    assert 0 < Watched.largest <= 1 << 20


def small_address_space() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("c6.g6", b"EhEG\n"),
        ("one.json", VALID["json"][0]),
        ("one.graphml", VALID["graphml"][0]),
        ("one.gexf", VALID["gexf"][0]),
    ],
)
def test_small_documents_need_little_address_space(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    done = subprocess.run(
        [*PROGRAM, "info", path, "-q"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=small_address_space,
    )
    assert (done.returncode, done.stderr) == (0, "")
