"""What an XML document may declare before its root element.

Entities can expand a small file to gigabytes, or include other files. Documents for networkx may
not declare any. RDF/XML may declare short entities that do not refer to each other, as ontologies
do for their namespaces.
"""

from __future__ import annotations

from xml.parsers import expat

from wlkg.errors import InputError

_LONGEST_ENTITY = 1000


class _RootReached(Exception):  # noqa: N818  nothing went wrong
    pass


def check_prolog(start: bytes, path: str, *, allow_entities: bool) -> dict[str, str]:
    """Raise an input error if the declarations at the start of the document are dangerous.

    Returns the namespaces that the root element declares, by prefix.
    """
    parser = expat.ParserCreate()
    checked = 0
    prefixes: dict[str, str] = {}

    def on_entity(name: str, is_parameter: int, value: str | None, *_: str | None) -> None:
        nonlocal checked
        checked += 1
        harmless = value is not None and "&" not in value and len(value) <= _LONGEST_ENTITY
        if not (allow_entities and harmless and not is_parameter):
            raise refused(f"the document declares the XML entity {name!r}")

    def on_root(_name: str, attributes: dict[str, str]) -> None:
        # Expat skips comments, and all declarations after a %reference; other parsers may not.
        if start.count(b"<!ENTITY", 0, parser.CurrentByteIndex) > checked:
            raise refused("the document hides declarations of XML entities")
        for attribute, value in attributes.items():
            if attribute == "xmlns" or attribute.startswith("xmlns:"):
                prefixes[attribute.removeprefix("xmlns").removeprefix(":")] = value
        raise _RootReached

    def refused(message: str) -> InputError:
        return InputError(
            message,
            path=path,
            line=parser.CurrentLineNumber,
            remedy="Expand entities before loading; they can hide gigabytes or other files",
        )

    parser.EntityDeclHandler = on_entity
    parser.StartElementHandler = on_root
    try:
        parser.Parse(start, False)
    except _RootReached:
        return prefixes
    except expat.ExpatError as error:
        raise InputError(
            expat.ErrorString(error.code), path=path, line=error.lineno, column=error.offset + 1
        ) from error
    except (LookupError, ValueError) as error:  # the declared encoding
        raise InputError(str(error), path=path, line=1) from error
    raise InputError("no XML element at the start of the document", path=path)
