"""Undamaged documents of every kind: those of ``examples/``, and small ones that are made here."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import wlkg
from tests.fuzz.case import Case
from tests.places import EXAMPLE_GRAPHS
from tests.readers.valid_documents import VALID
from tests.text_inputs import AWKWARD_NAMES, ODD_TERMS
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.formats import FORMATS, SUFFIXES
from wlkg.writers.formats import WRITERS

#: The graph that tables are about.
PEOPLE = RelationalGraph.from_triples(
    [
        ("ann", "knows", "bob"),
        ("bob", "knows", "c d"),
        ("c d", "likes", "é"),
        ("é", "likes", "<http://a/b>"),
        ("9", "knows", "10"),
        ("10", "knows", "NA"),
    ]
)
NAMES = PEOPLE.vertex_names
#: Names of columns that the readers of tables know.
TITLES = ["vertex", "entity", "label", "class", "prediction", "name", "id"]
MANY = RelationalGraph.from_arrays(
    np.arange(40) % 13,
    np.arange(40) % 3,
    np.arange(40) * 7 % 11,
    num_vertices=13,
    relation_names=["r", "s", "t"],
)


def graph_seeds(format_name: str) -> list[Case]:
    """Documents of a format, under each of its suffixes."""
    suffixes = FORMATS[format_name].suffixes
    documents = [*VALID[format_name], *_written(format_name), *_extra(format_name)]
    documents += [path.read_bytes() for path in sorted(EXAMPLE_GRAPHS.iterdir())
                  if SUFFIXES.get(path.suffix) == format_name]  # fmt: skip
    kind = f"graph/{format_name}"
    cases = [Case(kind, f"g{suffixes[0]}", document) for document in documents]
    return cases + [Case(kind, f"g{suffix}", documents[0]) for suffix in suffixes[1:]]


def _written(format_name: str) -> Iterator[bytes]:
    if format_name not in WRITERS:
        return
    graphs = [PEOPLE, MANY.with_direction("undirected")]
    for graph in [wlkg.read("example:c6")] if format_name == "graph6" else graphs:
        sink = io.BytesIO()
        WRITERS[format_name](graph, sink)
        yield sink.getvalue()


def _extra(format_name: str) -> list[bytes]:
    """Documents with constructs that the others lack."""
    if format_name in ("ntriples", "nquads"):
        graph = " <a:g>" if format_name == "nquads" else ""
        return ["".join(f"<a:s> <a:p> {term}{graph} .\n" for term in ODD_TERMS[i::4]).encode()
                for i in range(4)]  # fmt: skip
    if format_name in ("tsv", "csv", "txt", "edgelist"):
        rows = zip(AWKWARD_NAMES, "rs" * 20, AWKWARD_NAMES[::-1], strict=False)
        mark = {"csv": ",", "edgelist": " "}.get(format_name, "\t")
        return [
            "".join(mark.join(row) + "\n" for row in rows).encode(),
            b"a b\nb c\n",
            b"1,2\n2,3\n",
        ]
    if format_name == "parquet":
        return list(_tables())
    if format_name == "gexf":
        return [_GEXF]
    if format_name == "graphml":
        return [_GRAPHML]
    return []


def _tables() -> Iterator[bytes]:
    """Tables of several types, encodings and compressions."""
    names = ["a", "b", None, "a"]
    columns: list[dict[str, Any]] = [
        {"head": [1, 2, 3], "relation": [0, 0, 1], "tail": [2**62, 5, 6]},
        {"h": pa.array(names).dictionary_encode(), "r": names[::-1], "t": names},
        {"a": [[1], [2, 3]], "b": [{"x": 1}, None], "c": [1.5, float("nan")]},
        {"head": [b"\xff", b"a"], "relation": [True, False], "tail": [None, None]},
    ]
    for number, table in enumerate(columns):
        sink = io.BytesIO()
        pq.write_table(
            pa.table(table), sink, compression=("NONE", "ZSTD", "SNAPPY", "GZIP")[number]
        )
        yield sink.getvalue()


_GEXF = b"""<?xml version="1.0"?><gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">
<graph defaultedgetype="undirected" mode="static"><attributes class="node" mode="static">
<attribute id="0" title="kind" type="string"><default>x</default></attribute>
<attribute id="1" title="size" type="integer"/></attributes><attributes class="edge">
<attribute id="2" title="relation" type="string"/></attributes><nodes>
<node id="a" label="A"><attvalues><attvalue for="0" value="y"/>
<attvalue for="1" value="3"/></attvalues></node>
<node id="b" start="1" end="2"><nodes><node id="c"/></nodes></node></nodes><edges>
<edge id="0" source="a" target="b" type="directed" weight="2.5">
<attvalues><attvalue for="2" value="r"/></attvalues></edge></edges></graph></gexf>"""
_GRAPHML = b"""<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="k" for="node" attr.name="label" attr.type="int"><default>1</default></key>
<key id="r" for="edge" attr.name="relation" attr.type="double"/>
<key id="b" for="all" attr.type="boolean"/>
<graph edgedefault="undirected"><node id="1"><data key="k">7</data></node><node id="2"/>
<edge id="e" directed="true" source="1" target="2"><data key="r">0.5</data></edge>
<hyperedge/><port/></graph></graphml>"""


def folder_seeds() -> list[Case]:
    """Benchmark folders, each as one text that `unpacked` takes apart."""
    split = b"ann\tknows\tbob\nbob\tlikes\tc d\n"
    folders = [
        {"train.txt": split, "valid.txt": b"ann\tlikes\tbob\n", "test.txt": b"bob\tknows\tann\n"},
        {"train.tsv": b"head\trelation\ttail\n" + split},
        {
            "entity2id.txt": b"3\nann\t0\nbob\t1\nc d\t2\n",
            "relation2id.txt": b"1\nknows\t0\n",
            "train2id.txt": b"2\n0 1 0\n1 2 0\n",
            "valid2id.txt": b"1\n2 0 0\n",
        },
    ]
    return [Case("graph/folder", "folder", packed(files)) for files in folders]


_MARK = b"%%%% "


def packed(files: dict[str, bytes]) -> bytes:
    """Files as one text."""
    return b"".join(_MARK + name.encode() + b"\n" + data for name, data in files.items())


def unpacked(data: bytes) -> dict[str, bytes]:
    """The files of such a text; a name that is no file name is replaced."""
    files: dict[str, bytes] = {}
    for part in data.split(_MARK)[1:]:
        name, _, content = part.partition(b"\n")
        text = name.decode("ascii", "replace")
        files[text if len(text) < 40 and text.replace(".", "").isalnum() else "other.txt"] = content
    return files


def array_seeds() -> list[Case]:
    """NumPy arrays of graph6 texts."""
    texts = ["E?bw", "EEh_", "DQc", "A_"]
    arrays = [np.array(texts), np.array(texts, dtype="S"), np.array(texts).reshape(2, 2)]
    arrays += [np.asfortranarray(np.array(texts).reshape(2, 2)), np.arange(4)]
    return [Case("graph/array", "g.npy", _saved(array)) for array in arrays]


def _saved(array: np.ndarray[Any, Any]) -> bytes:
    sink = io.BytesIO()
    np.save(sink, array)
    return sink.getvalue()


# -- tables about vertices ------------------------------------------------------------------------


def table_seeds(kind: str) -> list[Case]:
    """Tables of a kind about `PEOPLE`."""
    return [Case(f"table/{kind}", name, text.encode()) for name, text in _table_texts(kind)]


def _table_texts(kind: str) -> Iterator[tuple[str, str]]:
    two = "".join(f"{name}\t{'xy'[i % 2]}\n" for i, name in enumerate(NAMES))
    if kind == "labels":
        yield "t.tsv", two
        yield "t.tsv", "vertex\tlabel\n" + two
    elif kind == "targets":
        yield "t.tsv", "entity\tlabel\n" + two
        yield "t.csv", "label,entity\n" + "".join(f"x,{name}\n" for name in NAMES[:3])
        yield (
            "t.tsv",
            "id\tperson\tlabel_x\n" + "".join(f"{i}\t{n}\tz\n" for i, n in enumerate(NAMES)),
        )
    elif kind == "features":
        yield "t.tsv", "".join(f"{name}\t{i}\t{i / 7}\t-1e3\n" for i, name in enumerate(NAMES))
    elif kind == "predictions":
        yield "t.tsv", two
        yield "t.tsv", "vertex\tclass\tscore\n" + two.replace("\n", "\t0.5\n")
        yield "t.csv", "prediction,vertex\n" + "".join(f'x,"{name}"\n' for name in NAMES)
    else:
        yield "t.txt", "\n".join(NAMES[:4]) + "\n"


# -- certificates, studies, results ---------------------------------------------------------------


@cache
def certified() -> list[tuple[dict[str, Any], tuple[RelationalGraph, ...]]]:
    """Certificates of all kinds with their graphs."""
    c6, two_c3 = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    claims: list[tuple[tuple[RelationalGraph, ...], dict[str, Any]]] = [
        ((c6, two_c3), {}),
        ((c6, two_c3), {"fractional": True}),
        ((c6, two_c3), {"test": "2-rlwl"}),
        ((c6, two_c3), {"test": "2-wl"}),
        ((PEOPLE, MANY), {}),
        ((c6, c6), {"isomorphic": True}),
        ((PEOPLE,), {}),
        ((c6,), {}),
    ]
    return [
        (dict(wlkg.certify(graphs[0], *graphs[1:], **how).document), graphs)  # type: ignore[arg-type]
        for graphs, how in claims
    ]


def certificate_seeds() -> list[Case]:
    return [
        Case("certificate", "c.json", json.dumps(document).encode(), {"graphs": number})
        for number, (document, _) in enumerate(certified())
    ]


def study_seeds() -> list[Case]:
    """TOML studies."""
    from tests.studies.toy import TOML

    full = TOML + (
        'composition = "add"\nlayers = 3\nlearning_rate = 0.01\nepochs = 7\nbias = true\n'
        '[[models]]\nname = "k"\nmodel = "k-rn"\nk = 2\n'
    )
    top = 'literals = "drop"\ndirection = "out"\nlabel_column = "label"\nweight_decay = 0.5\n'
    return [Case("study/toml", "s.toml", text.encode()) for text in (TOML, full, top + TOML)]


def record_seeds() -> list[Case]:
    """The files of a study: ``study.json`` and a run."""
    from tests.studies.toy import RUN, made_up_facts, made_up_result, toy_study
    from wlkg.studies.runs import write_result
    from wlkg.studies.study_file import FILE_NAME, StudyRecord, write_record

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        study = toy_study(folder)
        record = StudyRecord(study, "abc", made_up_facts(study), (), "wlkg reproduce", 2)
        write_record(folder, record)
        write_result(folder, made_up_result(RUN, 0.5))
        files = {"study/record": FILE_NAME, "study/run": RUN.file_name}
        return [Case(kind, file, (folder / file).read_bytes()) for kind, file in files.items()]


def trained_seeds() -> list[Case]:
    """What ``wlkg train --json`` prints."""
    document = {
        "schema": "wlkg/train/1",
        "items": "vertices",
        "config": {"model": "compgcn", "layers": 2, "norm": True},
        "targets": [{"file": "train.tsv", "vertices": 12}, {"file": "test.tsv", "vertices": 4}],
        "validation": {"vertices": 2, "share": 0.15},
        "train_accuracy": 1.0,
        "validation_accuracy": 0.5,
        "test_accuracy": 0.75,
    }
    return [Case("result/trained", "r.json", json.dumps(document).encode())]


def checkpoint_seeds(kind: str) -> list[Case]:
    """Models of every kind, as safetensors or as archives of earlier versions."""
    from tests.fuzz.models import archives, tensor_files

    files = tensor_files() if kind == "checkpoint/tensors" else archives()
    return [Case(kind, "m.pt", data) for data in files]
