"""graph6, sparse6 and digraph6 against networkx and the definitions."""

from __future__ import annotations

import gzip
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wlkg
from wlkg import RelationalGraph
from wlkg.errors import InputError, UsageError
from wlkg.readers.graph6 import decode_line, encode_graph6

Edges = set[tuple[int, int]]
SIZES = st.one_of(st.integers(0, 9), st.sampled_from([16, 61, 62, 63, 64, 65]))


@st.composite
def networks(draw: st.DrawFn, *, loops: bool) -> nx.Graph[int]:
    """Simple graphs on 0 .. n-1; small powers of two have special padding rules."""
    count = draw(SIZES)
    graph: nx.Graph[int] = nx.empty_graph(count)
    vertex = st.integers(0, max(count - 1, 0))
    pairs = draw(st.lists(st.tuples(vertex, vertex), max_size=20)) if count else []
    graph.add_edges_from((u, v) for u, v in pairs if loops or u != v)
    return graph


def edges_of(graph: RelationalGraph) -> Edges:
    return set(zip(graph.head.tolist(), graph.tail.tolist(), strict=True))


def pairs_of(network: nx.Graph[int]) -> Edges:
    return {(min(u, v), max(u, v)) for u, v in network.edges}


def slow_digraph6(count: int, arcs: Edges) -> bytes:
    """The definition: n, then the adjacency matrix row by row, six bits per byte."""
    size = f"{count:06b}" if count <= 62 else f"{63:06b}{count:018b}"
    matrix = "".join(str(int((i, j) in arcs)) for i in range(count) for j in range(count))
    bits = size + matrix + "0" * (-len(matrix) % 6)
    return b"&" + bytes(63 + int(bits[i : i + 6], 2) for i in range(0, len(bits), 6))


@given(networks(loops=False))
def test_graph6_is_decoded_and_encoded_as_networkx_does(network: nx.Graph[int]) -> None:
    line = nx.to_graph6_bytes(network, header=False).strip()
    graph = decode_line(line)
    assert edges_of(graph) == pairs_of(network)
    assert graph.num_vertices == len(network)
    assert graph.direction == "undirected"
    assert graph.relation_names == ("edge",)
    assert encode_graph6(graph) == line


@given(networks(loops=True))
def test_sparse6_is_decoded_as_networkx_encodes_it(network: nx.Graph[int]) -> None:
    graph = decode_line(nx.to_sparse6_bytes(network, header=False).strip())
    assert edges_of(graph) == pairs_of(network)
    assert graph.num_vertices == len(network)
    assert graph.direction == "undirected"


@pytest.mark.parametrize("count", [0, 1, 2, 4, 8, 16])
def test_sparse6_padding_adds_no_edge(count: int) -> None:
    for network in (nx.path_graph(max(count - 1, 0)), nx.complete_graph(max(count - 1, 0))):
        network.add_nodes_from(range(count))
        graph = decode_line(nx.to_sparse6_bytes(network, header=False).strip())
        assert (graph.num_vertices, edges_of(graph)) == (count, pairs_of(network))


def test_a_repeated_edge_of_sparse6_counts_once() -> None:
    network: nx.MultiGraph[int] = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 2)])
    graph = decode_line(nx.to_sparse6_bytes(network, header=False).strip())
    assert edges_of(graph) == {(0, 1), (1, 2), (2, 2)}
    assert graph.duplicates == 1


@given(SIZES.filter(lambda n: n < 65), st.data())
def test_digraph6_is_decoded_by_the_definition(count: int, data: st.DataObject) -> None:
    vertex = st.integers(0, max(count - 1, 0))
    arcs = data.draw(st.sets(st.tuples(vertex, vertex), max_size=12)) if count else set()
    graph = decode_line(slow_digraph6(count, arcs))
    assert edges_of(graph) == arcs
    assert (graph.num_vertices, graph.direction) == (count, "both")


def test_large_numbers_of_vertices_take_four_or_eight_bytes() -> None:
    network: nx.Graph[int] = nx.empty_graph(260_000)
    network.add_edge(5, 259_999)
    graph = decode_line(nx.to_sparse6_bytes(network, header=False).strip())
    assert (graph.num_vertices, edges_of(graph)) == (260_000, {(5, 259_999)})
    assert decode_line(b"~?A?" + b"?" * (128 * 127 // 12 + 1)).num_vertices == 128


@pytest.mark.parametrize(
    ("line", "vertices", "triples"),
    [
        (b">>graph6<<EhEG", 6, 6),
        (b">>sparse6<<:Fa@x^", 7, 4),
        (b">>digraph6<<&B?_", 3, 1),
        (b"?", 0, 0),
        (b"@", 1, 0),
        (b":@", 1, 0),
    ],
)
def test_a_line_may_begin_with_the_header_of_its_format(
    line: bytes, vertices: int, triples: int, tmp_path: Path
) -> None:
    path = tmp_path / "one.g6"
    path.write_bytes(line + b"\r\n")
    graph = wlkg.read(path)
    assert (graph.num_vertices, graph.num_triples) == (vertices, triples)


@pytest.fixture
def several(tmp_path: Path) -> Path:
    path = tmp_path / "several.g6"
    path.write_bytes(b">>graph6<<A_\n\nBw\nC~\n")
    return path


def test_graphs_of_a_file_are_counted_from_one(several: Path) -> None:
    assert [wlkg.read(f"{several}#{i}").num_vertices for i in (1, 2, 3)] == [2, 3, 4]
    assert [graph.num_vertices for graph in wlkg.read_all(f"{several}#all")] == [2, 3, 4]
    assert [graph.num_vertices for graph in wlkg.read_all(several)] == [2, 3, 4]


@pytest.mark.parametrize("number", [0, 4, -1, 10**8])
def test_a_number_beyond_the_graphs_of_a_file_is_refused(several: Path, number: int) -> None:
    with pytest.raises(UsageError, match="counted from 1, and the file holds 3"):
        wlkg.read(f"{several}#{number}")


@pytest.mark.parametrize("suffix", ["", "#all"])
def test_one_graph_must_be_chosen_if_there_are_several(several: Path, suffix: str) -> None:
    with pytest.raises(InputError, match=r"holds 3 graphs. Choose one: '.*#1' to '.*#3'"):
        wlkg.read(f"{several}{suffix}")


def test_a_compressed_file_is_counted_too(several: Path, tmp_path: Path) -> None:
    path = tmp_path / "several.g6.gz"
    path.write_bytes(gzip.compress(several.read_bytes()))
    assert wlkg.read(f"{path}#3") == wlkg.read(f"{several}#3")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"~~~~~~~~", "expected .* bits for the edges, found 0"),
        (b"&~~~~~~~~", "expected .* bits for the edges, found 0"),
        (b"~~~", "the number of vertices is cut short"),
        (b"~?", "the number of vertices is cut short"),
        (b"&", "a byte lies outside"),
        (b">>graph6<<", "a byte lies outside"),
        (b"EhE", "expected 15 bits for the edges, found 12"),
        (b"EhEGG", "expected 15 bits for the edges, found 24"),
        (b"EhEH", "the padding at the end is not zero"),
        (b"E hEG", "a byte lies outside"),
        (b"\xff\xfe", "a byte lies outside"),
        (b";Fa@x^", "a byte lies outside"),
    ],
)
def test_malformed_lines_are_refused(line: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.g6"
    path.write_bytes(b"A_\n" + line + b"\n")
    with pytest.raises(InputError, match=f"line 2: not graph6, sparse6 or digraph6: {message}"):
        wlkg.read_all(path)


@pytest.mark.parametrize(
    ("text", "message"), [(b"", "the file is empty"), (b"\n \n", "the file holds no graph")]
)
def test_a_file_without_a_graph_is_refused(text: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "none.s6"
    path.write_bytes(text)
    with pytest.raises(InputError, match=message):
        wlkg.read(path)


@given(st.binary(max_size=30))
def test_any_bytes_decode_or_are_refused(line: bytes) -> None:
    try:
        graph = decode_line(line)
    except InputError:
        return
    assert graph.num_triples <= max(graph.num_vertices**2, 0)


@pytest.mark.parametrize(
    ("name", "count", "vertices", "degree"),
    [("sr16622.g6", 2, 16, 6), ("sr251256.g6", 15, 25, 12)],
)
def test_strongly_regular_graphs_are_regular(
    name: str, count: int, vertices: int, degree: int, data_dir: Path
) -> None:
    graphs = wlkg.read_all(data_dir / "sr" / name)
    assert len(graphs) == count
    for graph in graphs:
        offsets = graph.arcs().offsets
        assert graph.num_vertices == vertices
        assert set((offsets[1:] - offsets[:-1]).tolist()) == {degree}
