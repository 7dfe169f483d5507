"""An input: a file, its name, and what to do with it; also as a file of the corpus."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

#: The suffix of the files of the corpus.
SUFFIX = ".case"


@dataclass(frozen=True)
class Case:
    """An input of the kind ``kind``: the file ``name`` with the content ``data``."""

    kind: str
    name: str
    data: bytes
    #: What else the kind needs to know, as JSON: the options of a reader, for example.
    options: dict[str, Any] = field(default_factory=dict)

    def with_data(self, data: bytes) -> Case:
        """The same case about other content."""
        return replace(self, data=data)

    @property
    def digest(self) -> str:
        """A name for the case, different for every case."""
        return hashlib.sha256(self.stored()).hexdigest()[:12]

    def stored(self, about: str = "") -> bytes:
        """The case as a file: a line of JSON, then the content."""
        head = {"kind": self.kind, "name": self.name, "options": self.options}
        return json.dumps({**head, "about": about} if about else head).encode() + b"\n" + self.data

    @classmethod
    def load(cls, path: Path) -> Case:
        """The case of a file of the corpus."""
        head, _, data = path.read_bytes().partition(b"\n")
        fields = json.loads(head)
        return cls(fields["kind"], fields["name"], data, fields["options"])
