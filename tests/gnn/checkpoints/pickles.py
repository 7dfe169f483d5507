"""Pickles written by hand, instruction by instruction, and two bombs."""

from __future__ import annotations

import io
import struct
import zipfile

BEGIN, STOP, EMPTY_DICT = b"\x80\x02", b".", b"}"


def word(text: str) -> bytes:
    encoded = text.encode()
    return b"X" + struct.pack("<I", len(encoded)) + encoded


def number(value: int) -> bytes:
    return b"J" + struct.pack("<i", value)


def long(value: int) -> bytes:
    return b"\x8a\x09" + value.to_bytes(9, "little", signed=True)


def named(module: str, name: str) -> bytes:
    return f"c{module}\n{name}\n".encode()


def holding(value: bytes) -> bytes:
    """A dictionary with one value."""
    return BEGIN + EMPTY_DICT + word("a") + value + b"s" + STOP


def tuples(*items: bytes) -> bytes:
    return b"(" + b"".join(items) + b"t"


def storage(count: int = 3, key: str = "0", kind: bytes = named("torch", "DoubleStorage")) -> bytes:
    return tuples(word("storage"), kind, word(key), word("cpu"), number(count)) + b"Q"


HOOKS = named("collections", "OrderedDict") + b")R"


def tensor(
    shape: tuple[int, ...] = (3,),
    strides: tuple[int, ...] = (1,),
    offset: int = 0,
    held: bytes = storage(),
    hooks: bytes = HOOKS,
) -> bytes:
    sizes = (tuples(*map(long, each)) for each in (shape, strides))
    rebuild = named("torch._utils", "_rebuild_tensor_v2")
    return rebuild + tuples(held, number(offset), *sizes, b"\x89", hooks) + b"R"


def nested_tuples(depth: int, end: bytes) -> bytes:
    """Each tuple holds the one before it twice, which is remembered and recalled."""
    steps = b"".join(b"q" + bytes([n]) + b"h" + bytes([n]) + b"\x86" for n in range(depth))
    return b")" + steps + end


def bomb_of_memory() -> bytes:
    """3.2 GB of zeros, in a few bytes."""
    return holding(named("builtins", "bytearray") + long(3_200_000_000) + b"\x85R")


def bomb_of_time() -> bytes:
    """A key that is hashed for ever."""
    return BEGIN + EMPTY_DICT + nested_tuples(100, number(1) + b"s") + STOP


def archive_of(**entries: bytes) -> bytes:
    """An archive as PyTorch writes them; ``_`` in a name stands for a dot."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in entries.items():
            archive.writestr(f"archive/{name.replace('_', '.')}", data)
    return buffer.getvalue()


#: Checkpoints that fill the memory or never end in a reader that runs their pickles.
BOMBS = {
    "3.2 GB of zeros": archive_of(data_pkl=bomb_of_memory(), version=b"3\n"),
    "a key that never ends": archive_of(data_pkl=bomb_of_time(), version=b"3\n"),
}
