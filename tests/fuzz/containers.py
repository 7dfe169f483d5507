"""Damage inside containers: compressed files, checkpoints, archives and sealed certificates.

Damage to the bytes of a container hardly ever gets past its checksums. So what is inside is
damaged, too, and packed again; and then, sometimes, the container.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from random import Random

from tests.certificates import resealed
from tests.fuzz.mutators import BYTES, Mutator
from tests.fuzz.structures import damage_tree
from tests.readers.compression import COMPRESS

#: Instructions of pickles that build, call or remember something.
_OPCODES = [
    bytes([code]) for code in b"cRio\x81\x92\x93bdhjpqrtu}])(NKMJGXUTB\x8a\x8b\x94\x95.02lsae"
]
_PICKLES = [
    *(
        b"cos\nsystem\n",
        b"cbuiltins\neval\n",
        b"cbuiltins\nbytearray\nM\xff\xff\x85R",
        b"\x8b\xff\xff\xff\x7f",
    ),
    *(
        b"ctorch._utils\n_rebuild_tensor_v2\n",
        b"ccollections\nOrderedDict\n)R",
        b"I99999999999\n",
        b"((((((",
    ),
    *(
        b"X\xff\xff\xff\x7f",
        b"B\xff\xff\xff\xff",
        b"\x8e\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"h\x00" * 50,
    ),
]


def compressed(rng: Random, data: bytes, compress: Callable[[bytes], bytes]) -> bytes:
    """Compressed data: whole, in several members, twice, cut short, or damaged."""
    if rng.random() < 1 / 400:
        return _bomb(
            compress, rng.choice((b"\n", b" ", b"a", b"[", b"<a:b> ", b"a\tr\tb\n", b"A_\n"))
        )
    packed = compress(data)
    match rng.choice(("whole",) * 6 + ("members", "twice", "cut", "damage", "damage", "tail")):
        case "members":
            place = rng.randint(0, len(data))
            return compress(data[:place]) + compress(data[place:])
        case "twice":
            return compress(packed)
        case "cut":
            return packed[: rng.randint(0, len(packed))]
        case "damage":
            return rng.choice(BYTES)(rng, packed, packed)
        case "tail":
            packed += rng.randbytes(rng.choice((1, 8, 100)))
    return packed


@cache
def _bomb(compress: Callable[[bytes], bytes], piece: bytes) -> bytes:
    """A few kilobytes that hold 80 MB; less where compressing that much would take seconds."""
    size = 80_000_000 if compress in (COMPRESS[".gz"], COMPRESS[".zst"]) else 8_000_000
    return compress(piece * (size // len(piece)))


def _tensor_file(rng: Random, data: bytes, _: bytes) -> bytes:
    """A changed description in a safetensors file, with its new length."""
    size = int.from_bytes(data[:8], "little")
    try:
        tree = json.loads(data[8 : 8 + size])
    except (ValueError, RecursionError):
        return data
    inner = tree.get("__metadata__") if isinstance(tree, dict) else None
    texts = (
        [key for key, text in inner.items() if isinstance(text, str)]
        if isinstance(inner, dict)
        else []
    )
    if texts and rng.random() < 0.6:  # our own description is JSON in a text
        key = rng.choice(texts)
        with suppress(ValueError, RecursionError):
            inner[key] = json.dumps(damage_tree(rng, json.loads(inner[key])))  # type: ignore[index]
    else:
        tree = damage_tree(rng, tree)
    head = json.dumps(tree).encode()
    length = len(head) if rng.random() < 0.9 else rng.choice((0, 1, len(head) + 1, 2**31, 2**63))
    return struct.pack("<Q", length) + head + data[8 + size :]


def _insert_instructions(rng: Random, data: bytes) -> bytes:
    place = rng.randint(0, len(data))
    count = rng.choice((1, 1, 2, 5))
    pieces = rng.choices(_PICKLES if rng.random() < 0.3 else _OPCODES, k=count)
    return data[:place] + b"".join(pieces) + data[place + rng.choice((0, 0, count)) :]


def _archive(rng: Random, data: bytes, _: bytes) -> bytes:
    """A changed member of a zip archive, which is packed again."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # noqa: BLE001  zipfile raises many types on damaged archives
        return data
    pickles = [name for name in members if name.endswith("data.pkl")] or list(members)
    if not pickles:
        return data
    name = rng.choice(pickles if rng.random() < 0.7 else list(members))
    content = members[name]
    if rng.random() < 0.6:
        members[name] = _insert_instructions(rng, content)
    else:
        members[name] = rng.choice(BYTES)(rng, content, content)
    if rng.random() < 0.1:
        members[rng.choice(("../x", "archive/data/99", "archive/version", "a" * 300))] = b"x"
    sink = io.BytesIO()
    method = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(sink, "w", method) as archive:
        for each, inside in members.items():
            archive.writestr(zipfile.ZipInfo(each), inside)
    return sink.getvalue()


def _certificate(rng: Random, data: bytes, _: bytes) -> bytes:
    """A changed certificate with the seal that fits it."""
    try:
        document = damage_tree(rng, json.loads(data))
        return json.dumps(resealed(document) if isinstance(document, dict) else document).encode()
    except (ValueError, RecursionError):
        return data


TENSORS: tuple[Mutator, ...] = (_tensor_file,) * 8
ARCHIVE: tuple[Mutator, ...] = (_archive,) * 8
CERTIFICATE: tuple[Mutator, ...] = (_certificate,) * 6
