"""RDF documents through pyoxigraph: one graph in seven formats, names, safety and errors."""

from __future__ import annotations

import gzip
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.readers.family import FAMILY, RDF, TYPE, XSD
from tests.text_inputs import triples_of
from wlkg.catalogue import LITERAL_POLICIES
from wlkg.errors import InputError

EXPECTED = {
    ("http://e/ann", TYPE, "http://e/Person"),
    ("http://e/ann", "http://e/knows", "http://e/bob"),
    ("http://e/ann", "http://e/knows", "_:c"),
    ("http://e/ann", "http://e/name", '"Ann"'),
    ("http://e/ann", "http://e/name", '"Ann"@en'),
    ("http://e/ann", "http://e/age", f'"41"^^<{XSD}integer>'),
    ("_:c", "http://e/knows", "http://e/ann"),
    ("_:c", "http://e/name", '"C \\"q\\" é\\n"'),
}
DOCUMENTS = [".ttl", ".trig", ".n3", ".rdf", ".jsonld"]


def written(folder: Path, suffix: str, text: str | bytes) -> Path:
    path = folder / f"document{suffix}"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


# -- the same graph everywhere --------------------------------------------------------------------


@pytest.mark.parametrize("policy", LITERAL_POLICIES)
def test_the_same_graph_in_seven_formats_loads_equal(tmp_path: Path, policy: str) -> None:
    assert len(FAMILY) == 7
    graphs = [
        wlkg.read(written(tmp_path, suffix, text), literals=policy)
        for suffix, text in FAMILY.items()
    ]
    assert all(graph == graphs[0] for graph in graphs)
    if policy == "shared":
        assert set(graphs[0].named_triples()) == EXPECTED
    assert graphs[0].num_triples == (4 if policy == "drop" else 8)


@pytest.mark.parametrize("suffix", DOCUMENTS)
def test_a_document_of_any_length_is_read_to_its_end(tmp_path: Path, suffix: str) -> None:
    count = 30_000
    rows = [(f"http://a/{i}", f"http://b/{i * 7 % 1000}") for i in range(count)]
    if suffix == ".rdf":
        parts = (f'<rdf:Description rdf:about="{h}"><e:p rdf:resource="{t}"/></rdf:Description>'
                 for h, t in rows)  # fmt: skip
        text = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:e="http://e/">' + "".join(parts) + "</rdf:RDF>"
    elif suffix == ".jsonld":
        text = json.dumps([{"@id": h, "http://e/p": {"@id": t}} for h, t in rows])
    else:
        text = "".join(f"<{h}> <http://e/p> <{t}> .\n" for h, t in rows)
    assert len(text) > 1 << 20
    expected = {(h, "http://e/p", t) for h, t in rows}
    assert triples_of(written(tmp_path, suffix, text)) == expected
    assert triples_of(written(tmp_path, f"{suffix}.gz", gzip.compress(text.encode()))) == expected


@pytest.mark.parametrize("suffix", DOCUMENTS)
def test_a_byte_order_mark_is_skipped(tmp_path: Path, suffix: str) -> None:
    data = b"\xef\xbb\xbf" + FAMILY[suffix].encode()
    assert triples_of(written(tmp_path, suffix, data)) == EXPECTED


@pytest.mark.parametrize("suffix", DOCUMENTS)
def test_compressed_documents_that_are_cut_short_are_refused(tmp_path: Path, suffix: str) -> None:
    data = gzip.compress(FAMILY[suffix].encode())
    path = written(tmp_path, f"{suffix}.gz", data[:-20])
    with pytest.raises(InputError, match="damaged or cut short"):
        wlkg.read(path)


@pytest.mark.parametrize("suffix", [".trig", ".jsonld"])
def test_named_graphs_are_merged_or_chosen(tmp_path: Path, suffix: str) -> None:
    text = {
        ".trig": "<a:a> <a:r> <a:b> . GRAPH <g:1> { <a:a> <a:r> <a:c> } <g:2> { <a:a> <a:r> 1 }",
        ".jsonld": """[{"@id": "a:a", "a:r": {"@id": "a:b"}},
            {"@id": "g:1", "@graph": [{"@id": "a:a", "a:r": {"@id": "a:c"}}]},
            {"@id": "g:2", "@graph": [{"@id": "a:a", "a:r": 1}]}]""",
    }[suffix]
    path = written(tmp_path, suffix, text)
    assert wlkg.read(path).num_triples == 3
    assert triples_of(path, named_graph="g:1") == {("a:a", "a:r", "a:c")}
    with pytest.raises(InputError, match=r"no graph <g:3>\. The graphs are: g:1, g:2"):
        wlkg.read(path, named_graph="g:3")


# -- names ----------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(st.sets(st.sampled_from(['"x"', '"x"@en', '"x"@de', f'"x"^^<{XSD}token>', "<x:x>", "_:x"])))
def test_terms_differ_by_datatype_language_and_kind(scratch: Path, terms: set[str]) -> None:
    if not terms:
        return
    path = written(scratch, ".ttl", f"<a:a> <a:r> {', '.join(sorted(terms))} .")
    assert {t for _, _, t in triples_of(path)} == {t.replace("<x:x>", "x:x") for t in terms}


def test_a_string_is_the_same_term_with_and_without_its_datatype(tmp_path: Path) -> None:
    path = written(tmp_path, ".ttl", f"<a:a> <a:r> \"x\", \"x\"^^<{XSD}string>, '''x''' .")
    graph = wlkg.read(path)
    assert (graph.num_triples, graph.duplicates) == (1, 2)


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".ttl", "<a:a> <a:r> [ <a:s> [] ] , _:x ."),
        (".trig", "<a:a> <a:r> [ <a:s> [] ] . { <a:a> <a:r> _:x }"),
        (".n3", "<a:a> <a:r> [ <a:s> [] ] , _:x ."),
        (".jsonld", '{"@id": "a:a", "a:r": [{"a:s": {"@id": "_:x"}}, {"a:s": {"a:t": 1}}]}'),
        (
            ".rdf",
            (
                f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:e="a:"><rdf:Description rdf:nodeID="x">'
                '<e:r rdf:parseType="Resource"><e:s><rdf:Description/></e:s></e:r>'
                "</rdf:Description></rdf:RDF>"
            ),
        ),
    ],
)
def test_blank_nodes_without_a_label_are_numbered(tmp_path: Path, suffix: str, text: str) -> None:
    path = written(tmp_path, suffix, text)
    graph = wlkg.read(path)
    blank = [name for name in graph.vertex_names if name.startswith("_:")]
    assert blank == ["_:anon1", "_:anon2", "_:x"] or suffix == ".jsonld"
    assert {"_:anon1", "_:x"} <= set(blank)
    assert all(wlkg.read(path) == graph for _ in range(3))


HEX = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize("label", [HEX, HEX[:24], HEX[8:] + "ab", HEX * 2, "b" * 31, "x", "b0"])
@pytest.mark.parametrize("padding", [0, 2040, 4090, 8185, (1 << 20) - 20])
def test_a_label_that_occurs_in_the_text_is_kept(tmp_path: Path, label: str, padding: int) -> None:
    path = written(tmp_path, ".ttl", " " * padding + f"<a:a> <a:r> _:{label} , [] .")
    assert {t for _, _, t in triples_of(path)} == {f"_:{label}", "_:anon1"}


def test_labels_that_look_like_assigned_names_do_not_clash(tmp_path: Path) -> None:
    path = written(tmp_path, ".ttl", "<a:a> <a:r> _:anon1 , _:anon1_ , [] , _:anonymous .")
    tails = {t for _, _, t in triples_of(path)}
    assert tails == {"_:anon1", "_:anon1_", "_:anon1__", "_:anonymous"}


def test_each_label_is_one_node_and_each_bracket_a_new_node(tmp_path: Path) -> None:
    path = written(tmp_path, ".ttl", "_:x <a:r> _:x . [] <a:r> _:x . [] <a:r> [] .")
    graph = wlkg.read(path)
    assert (graph.num_vertices, graph.num_triples) == (4, 3)


def test_triple_terms_are_vertices(tmp_path: Path) -> None:
    path = written(
        tmp_path, ".ttl", '<a:a> <a:r> <<( <a:b> <a:s> "x"@EN )>> , <<( _:b <a:s> 1 )>> .'
    )
    assert {t for _, _, t in triples_of(path)} == {
        '<<( <a:b> <a:s> "x"@en )>>',
        f'<<( _:b <a:s> "1"^^<{XSD}integer> )>>',
    }


@pytest.mark.parametrize("depth", [65, 1500, 100_000])
def test_triple_terms_nested_absurdly_deep_are_refused(tmp_path: Path, depth: int) -> None:
    text = "<a:a> <a:r> " + "<<( <a:a> <a:r> " * depth + "<a:b>" + " )>>" * depth + " ."
    with pytest.raises(InputError, match="nested more than 64 deep"):
        wlkg.read(written(tmp_path, ".ttl", text))


def test_encoded_names_are_decoded(tmp_path: Path) -> None:
    text = '<urn:wlkg:name:a%20b> <urn:wlkg:name:%C3%A9> <urn:wlkg:name:%22x> , "x" .'
    path = written(tmp_path, ".ttl", text)
    assert triples_of(path) == {("a b", "é", '"x'), ("a b", "é", '"x"')}
    assert triples_of(path, literals="drop") == {("a b", "é", '"x')}


# -- relative IRIs --------------------------------------------------------------------------------

RELATIVE = {
    ".ttl": "<a> <b> <c> .",
    ".trig": "{ <a> <b> <c> }",
    ".n3": "<a> <b> <c> .",
    ".rdf": f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:e="http://e/"><rdf:Description rdf:about="a">'
    '<e:b rdf:resource="c"/></rdf:Description></rdf:RDF>',
}


@pytest.mark.parametrize("suffix", RELATIVE)
def test_relative_iris_need_a_base(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path, suffix, RELATIVE[suffix])
    assert triples_of(path, base="http://e/") == {("http://e/a", "http://e/b", "http://e/c")}
    with pytest.raises(InputError, match=r"pass --base http://example\.org/"):
        wlkg.read(path)


def test_a_base_that_is_not_an_iri_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Invalid base IRI 'nonsense'"):
        wlkg.read(written(tmp_path, ".ttl", RELATIVE[".ttl"]), base="nonsense")


# -- safety ---------------------------------------------------------------------------------------

USE = (
    f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:e="http://e/"><rdf:Description rdf:about="http://e/a">'
    "<e:p>&b;</e:p></rdf:Description></rdf:RDF>"
)
BOMBS = {
    "nested": '<!ENTITY a "ha"> <!ENTITY b "&a;&a;">',
    "nested by a character reference": '<!ENTITY a "ha"> <!ENTITY b "&#38;a;">',
    "huge": f'<!ENTITY b "{"x" * 2000}">',
    "external": '<!ENTITY b SYSTEM "file:///etc/hostname">',
    "external with a public name": '<!ENTITY b PUBLIC "x" "http://example.org/x">',
    "a parameter entity": '<!ENTITY % b "x">',
    "an external parameter entity": '<!ENTITY % p SYSTEM "http://example.org/x"> %p;',
    "after an unknown reference": '%p; <!ENTITY a "ha"> <!ENTITY b "&a;&a;">',
    "in a comment": '<!ENTITY b "x"> <!-- <!ENTITY a "ha"> <!ENTITY b "&a;&a;"> -->',
    "in an instruction": '<!ENTITY b "x"> <?pi <!ENTITY a "ha"> <!ENTITY b "&a;&a;"> ?>',
}


@pytest.mark.parametrize("what", BOMBS)
@pytest.mark.parametrize("suffix", [".rdf", ".owl", ".xml"])
def test_xml_entities_that_could_explode_are_refused(
    tmp_path: Path, what: str, suffix: str
) -> None:
    text = f'<?xml version="1.0"?>\n<!DOCTYPE r [\n{BOMBS[what]}\n]>{USE}'
    with pytest.raises(InputError, match=r"line \d: the document (declares the XML|hides)"):
        wlkg.read(written(tmp_path, suffix, text))


@pytest.mark.parametrize("subset", ["", ' SYSTEM "http://example.org/x.dtd"'])
def test_the_namespace_entities_of_ontologies_are_expanded(tmp_path: Path, subset: str) -> None:
    text = f"""<?xml version="1.0"?>
<!DOCTYPE rdf:RDF{subset} [
  <!ENTITY e "http://e/" >
  <!ENTITY rdf "{RDF}" >
  <!-- two are enough -->
]>
<rdf:RDF xmlns:rdf="&rdf;" xmlns:e="&e;"><rdf:Description rdf:about="&e;a">
<e:p rdf:resource="&e;b"/></rdf:Description></rdf:RDF>"""
    assert triples_of(written(tmp_path, ".owl", text)) == {
        ("http://e/a", "http://e/p", "http://e/b")
    }


@pytest.mark.parametrize("encoding", ["klingon", "utf-7", "utf-16", "hex", "idna"])
def test_xml_in_an_unsupported_encoding_is_refused(tmp_path: Path, encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><a/>'
    with pytest.raises(InputError):
        wlkg.read(written(tmp_path, ".rdf", text))
    with pytest.raises(InputError):
        wlkg.read(written(tmp_path, ".rdf", text.encode("utf-16")))


@pytest.mark.parametrize(
    "context",
    ['"http://example.org/c.jsonld"', '["http://example.org/c"]', '{"@import": "http://e.org/c"}'],
)
def test_a_remote_context_is_refused_and_never_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, context: str
) -> None:
    def no_socket(*_: Any, **__: Any) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket, "socket", no_socket)
    monkeypatch.setattr(socket, "create_connection", no_socket)
    monkeypatch.setattr(socket, "getaddrinfo", no_socket)
    path = written(tmp_path, ".jsonld", f'{{"@context": {context}, "@id": "a:a", "a:r": 1}}')
    with pytest.raises(InputError, match="Remote contexts are never fetched: put the context into"):
        wlkg.read(path)


# -- broken documents -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("suffix", "text", "line", "column"),
    [
        (".ttl", "<a:a> <a:r>\n x .", 2, 2),
        (".ttl", "@prefix e: <http://e/> .\n\ne:a f:b e:c .", 3, 5),
        (".ttl", b"<a:a> <a:r>\n '\xff' .", 2, 3),
        (".trig", "{ <a:a> <a:r>\n x }", 2, 2),
        (".n3", "<a:a>\n ] .", 2, 2),
        (".jsonld", '{"@id":\n x}', 2, 2),
        (".rdf", "<a>\n <b c=></b></a>", 2, 7),
        (".rdf", "\n\n  <1>", 3, 4),
        (".rdf", f'<rdf:RDF xmlns:rdf="{RDF}"><rdf:Description></rdf:RDF>', 1, 85),
        (".jsonld", '{"@id": 1}', None, None),
    ],
)
def test_a_broken_document_is_refused_with_its_place(
    tmp_path: Path, suffix: str, text: str | bytes, line: int | None, column: int | None
) -> None:
    path = written(tmp_path, suffix, text)
    with pytest.raises(InputError) as caught:
        wlkg.read(path)
    error = caught.value
    assert (error.path, error.line, error.column) == (str(path), line, column)
    assert "Parser error" not in error.message
    assert error.exit_code == 2


@pytest.mark.parametrize("suffix", DOCUMENTS)
def test_a_document_without_triples_is_refused(tmp_path: Path, suffix: str) -> None:
    text = {".rdf": f'<rdf:RDF xmlns:rdf="{RDF}"/>', ".jsonld": "{}"}.get(suffix, "# nothing")
    with pytest.raises(InputError, match="the file holds no triple"):
        wlkg.read(written(tmp_path, suffix, text))
    with pytest.raises(InputError, match="the file is empty"):
        wlkg.read(written(tmp_path, suffix, ""))


@pytest.mark.parametrize("opening", ["(", "[ <p> ", "( [ <p> "])
@pytest.mark.parametrize("suffix", ["ttl", "trig", "n3"])
def test_brackets_nested_without_end_are_refused_early(
    tmp_path: Path, opening: str, suffix: str
) -> None:
    path = tmp_path / f"deep.{suffix}"
    path.write_text(f"<s> <p> {opening * 200_000}")
    with pytest.raises(InputError, match="more than 100,000 brackets are open at once"):
        wlkg.read(path, base="http://example.org/")


@pytest.mark.parametrize("start", ["", "<a:b> <a:c> _:"])
def test_a_name_of_megabytes_is_refused(start: str, tmp_path: Path) -> None:
    path = tmp_path / "g.ttl"
    path.write_text(start + "a" * (6 << 20) + " .")
    with pytest.raises(InputError, match="a name is longer than 4 MiB"):
        wlkg.read(path)


@pytest.mark.parametrize("term", ['"{}"', "<a:{}>", '"""{}"""'])
def test_a_literal_or_an_iri_of_megabytes_is_read(term: str, tmp_path: Path) -> None:
    path = tmp_path / "g.ttl"
    path.write_text("<a:b> <a:c> " + term.format("a" * (6 << 20)) + " .")
    assert wlkg.read(path).num_triples == 1


def test_open_brackets_in_the_literals_of_a_long_text_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "smiling.ttl"
    lines = [f'<s{i}> <says> "well :(  {"-" * 60}" .' for i in range(110_000)]
    path.write_text("\n".join(lines))
    assert wlkg.read(path, base="http://example.org/").num_triples == 110_000
