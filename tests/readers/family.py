"""One graph of two people, written in seven RDF formats."""

from __future__ import annotations

import json

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
TYPE = f"{RDF}type"

TURTLE = f"""\
@prefix e: <http://e/> .
e:ann a e:Person ; e:knows e:bob , _:c ; e:name "Ann" , "Ann"@en ; e:age "41"^^<{XSD}integer> .
_:c e:knows e:ann ; e:name "C \\"q\\" é\\n" .
"""
FAMILY = {
    ".ttl": TURTLE,
    ".n3": TURTLE,
    ".trig": TURTLE.replace("_:c e:knows", "GRAPH e:g { _:c e:knows") + "}",
    ".rdf": f"""\
<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="{RDF}" xmlns:e="http://e/">
  <e:Person rdf:about="http://e/ann">
    <e:knows rdf:resource="http://e/bob"/>
    <e:knows rdf:nodeID="c"/>
    <e:name>Ann</e:name>
    <e:name xml:lang="en">Ann</e:name>
    <e:age rdf:datatype="{XSD}integer">41</e:age>
  </e:Person>
  <rdf:Description rdf:nodeID="c">
    <e:knows rdf:resource="http://e/ann"/>
    <e:name>C "q" é&#10;</e:name>
  </rdf:Description>
</rdf:RDF>
""",
    ".jsonld": json.dumps(
        {
            "@context": {"e": "http://e/"},
            "@graph": [
                {
                    "@id": "e:ann",
                    "@type": "e:Person",
                    "e:knows": [{"@id": "e:bob"}, {"@id": "_:c"}],
                    "e:name": ["Ann", {"@value": "Ann", "@language": "en"}],
                    "e:age": 41,
                },
                {"@id": "_:c", "e:knows": {"@id": "e:ann"}, "e:name": 'C "q" é\n'},
            ],
        }
    ),
    ".nt": f"""\
<http://e/ann> <{TYPE}> <http://e/Person> .
<http://e/ann> <http://e/knows> <http://e/bob> .
<http://e/ann> <http://e/knows> _:c .
<http://e/ann> <http://e/name> "Ann"^^<{XSD}string> .
<http://e/ann> <http://e/name> "Ann"@EN .
<http://e/ann> <http://e/age> "41"^^<{XSD}integer> .
_:c <http://e/knows> <http://e/ann> .
_:c <http://e/name> "C \\"q\\" \\u00e9\\n" .
""",
}
FAMILY[".nq"] = FAMILY[".nt"].replace("<http://e/bob> .", "<http://e/bob> <g:g> .")
