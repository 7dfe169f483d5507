"""Valid documents of every format, for the tests to damage."""

from __future__ import annotations

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq

from tests.readers.family import FAMILY

ROWS = [("ann", "knows", "bob"), ("bob", "likes", "ann"), ("9", "knows", "10")]
GRAPHML = """<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="edge" attr.name="relation" attr.type="string"/>
<graph edgedefault="directed"><node id="a"/><node id="b"/>
<edge source="a" target="b"><data key="d0">r</data></edge></graph></graphml>"""
GEXF = """<?xml version="1.0"?>
<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph defaultedgetype="directed">
<nodes><node id="a" label="a"/><node id="b" label="b"/></nodes>
<edges><edge id="0" source="a" target="b"/></edges></graph></gexf>"""
NODE_LINK = {
    "directed": True,
    "nodes": [{"id": "a"}, {"id": 2}],
    "edges": [{"source": "a", "target": 2, "relation": "r", "key": 0}],
}


def parquet() -> bytes:
    sink = io.BytesIO()
    columns = list(zip(*ROWS, strict=True))
    pq.write_table(pa.table(dict(zip(["head", "relation", "tail"], columns, strict=True))), sink)
    return sink.getvalue()


def lines(separator: str) -> bytes:
    return "".join(separator.join(row) + "\n" for row in ROWS).encode()


VALID: dict[str, list[bytes]] = {
    "ntriples": [FAMILY[".nt"].encode()],
    "nquads": [FAMILY[".nq"].encode()],
    "turtle": [FAMILY[".ttl"].encode(), b"<a:a> <a:r> [ <a:s> ( 1 <<( <a:a> <a:r> 2 )>> ) ] ."],
    "trig": [FAMILY[".trig"].encode()],
    "n3": [FAMILY[".n3"].encode(), b"{ <a:a> <a:r> <a:b> } => { <a:b> <a:s> 1 } ."],
    "rdfxml": [
        FAMILY[".rdf"].encode(),
        b'<!DOCTYPE r [ <!ENTITY e "http://e/"> ]>' + FAMILY[".rdf"].encode().split(b"\n", 1)[1],
    ],
    "jsonld": [FAMILY[".jsonld"].encode(), b'{"@context": {"@vocab": "a:"}, "b": {"@list": [1]}}'],
    "tsv": [lines("\t"), b"# x\nhead\trelation\ttail\n" + lines("\t")],
    "csv": [lines(","), b'head,relation,tail\n"a, b",r,"c\n""d"""\n'],
    "txt": [lines("\t"), lines(" ")],
    "edgelist": [lines("  ")],
    "graph6": [
        b"E?bw\nEEh_\n",
        b">>graph6<<DQc\n",
        b":Fa@x^\n",
        b"&DI?AO?\n",
        b"~?@?" + b"?" * 336,
    ],
    "graphml": [GRAPHML.encode()],
    "gexf": [GEXF.encode()],
    "json": [json.dumps(NODE_LINK).encode()],
    "parquet": [parquet()],
}
