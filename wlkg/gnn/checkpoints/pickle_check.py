"""Check a pickle of an earlier checkpoint before it is read: a dry run that makes nothing.

A pickle is a program for a stack machine. PyTorch's restricted reader runs no foreign code, but a
short program may still fill the memory (``bytearray(n)``) or take for ever (tuples in which each
holds the one before it twice, as a key). Here each instruction is followed without making its
values. Only what a checkpoint needs is allowed:

* dictionaries, lists, tuples, words and numbers; keys are words or numbers, each given once;
* tensors of float32 or float64 that lie within their storage, each number at most once; a storage
  has the size of its entry in the archive;
* what was made before may be used again if it cannot change: a container never holds itself.

The number of instructions, the depth of the values, and their size with shared parts counted each
time are limited. Time and memory follow the length of the pickle.
"""

from __future__ import annotations

import math
import pickletools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from wlkg.gnn.checkpoints.damage import DamagedError, shown

#: The most instructions, and the largest value: about half a million names.
_MOST = 1_000_000
_DEEPEST = 32
#: The most dimensions of a tensor.
_DIMENSIONS = 8

_ORDERED = "collections OrderedDict"
_REBUILD = "torch._utils _rebuild_tensor_v2"
_STORAGES = {"torch FloatStorage": 4, "torch DoubleStorage": 8}
_GLOBALS = (_ORDERED, _REBUILD, *_STORAGES)
#: Instructions that push a constant; their argument is its value.
_CONSTANTS = {"BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "BINUNICODE"}
_WORDS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_TUPLES = {"EMPTY_TUPLE": 0, "TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


@dataclass(slots=True)
class _Value:
    """A value that the pickle would make."""

    kind: str
    #: A constant, the items of a tuple, the keys of a dictionary, the length of a storage.
    data: Any = None
    #: How many values it consists of, with shared parts counted each time.
    size: int = 1
    depth: int = 0

    def take(self, *parts: _Value) -> None:
        """Put values into this container."""
        self.size += sum(part.size for part in parts)
        self.depth = max([self.depth, *(part.depth + 1 for part in parts)])
        if self.size > _MOST or self.depth > _DEEPEST:
            raise DamagedError("the description is too large or nested too deeply")


@dataclass
class _DryRun:
    """The stack machine."""

    #: The bytes of each storage in the archive.
    storages: Mapping[str, int]
    #: The values since the last mark, and those before each mark.
    stack: list[_Value] = field(default_factory=list)
    marked: list[list[_Value]] = field(default_factory=list)
    memo: dict[int, _Value] = field(default_factory=dict)
    #: The storages that were asked for, with their types.
    used: dict[str, str] = field(default_factory=dict)

    def step(self, name: str, argument: Any) -> None:
        """Follow one instruction."""
        if name in _CONSTANTS:
            self.stack.append(_Value("constant", argument))
        elif name in _WORDS:
            self.stack.append(_Value("constant", _WORDS[name]))
        elif name in _TUPLES:
            self._tuple([self.pop() for _ in range(_TUPLES[name])][::-1])
        elif name in _INSTRUCTIONS:
            _INSTRUCTIONS[name](self, argument)
        else:
            raise DamagedError(f"its pickle has the instruction {name}")

    def pop(self, kind: str | None = None) -> _Value:
        """Take the last value from the stack."""
        if not self.stack or kind not in (None, self.stack[-1].kind):
            raise DamagedError("its pickle is not one of a checkpoint")
        return self.stack.pop()

    def top(self, *kinds: str) -> _Value:
        """The last value on the stack."""
        if not self.stack or (kinds and self.stack[-1].kind not in kinds):
            raise DamagedError("its pickle is not one of a checkpoint")
        return self.stack[-1]

    def since_mark(self) -> list[_Value]:
        """Take the values since the last mark from the stack."""
        if not self.marked:
            raise DamagedError("its pickle is not one of a checkpoint")
        values, self.stack = self.stack, self.marked.pop()
        return values

    def mark(self) -> None:
        self.marked.append(self.stack)
        self.stack = []

    def _tuple(self, items: list[_Value]) -> None:
        made = _Value("tuple", items)
        made.take(*items)
        self.stack.append(made)

    def tuple_since_mark(self) -> None:
        self._tuple(self.since_mark())

    def make(self, kind: str, data: Any = None) -> None:
        self.stack.append(_Value(kind, data))

    def append(self, items: list[_Value]) -> None:
        self.top("list").take(*items)

    def set_items(self, pairs: list[_Value]) -> None:
        target = self.top("dict", "ordered")
        target.data = target.data or set()
        keys = [pair.data for pair in pairs[::2] if pair.kind == "constant"]
        if len(pairs) % 2 or 2 * len(keys) != len(pairs):
            raise DamagedError("a key is not a word or a number")
        for key in keys:
            if type(key) not in (str, int) or key in target.data:
                raise DamagedError(f"the key {shown(key)} is not allowed, or given twice")
            target.data.add(key)
        target.take(*pairs)

    def remember(self, place: int) -> None:
        """Places are numbered in turn, so that a high number cannot ask for a long table."""
        if place > len(self.memo):
            raise DamagedError("its pickle is not one of a checkpoint")
        self.memo[place] = self.top()

    def recall(self, place: int) -> None:
        value = self.memo.get(place)
        if value is None or value.kind in ("dict", "ordered", "list"):
            raise DamagedError("a container is used twice")
        self.stack.append(value)

    def name(self, name: str) -> None:
        if name not in _GLOBALS:
            raise DamagedError(f"its pickle names {shown(name)}")
        self.make("global", name)

    def storage(self) -> None:
        """("storage", type, key, device, how many numbers)."""
        items = self.pop("tuple").data
        if [item.kind for item in items] != ["constant", "global", *["constant"] * 3]:
            raise DamagedError("a storage is not described as one")
        word, kind, key, device, count = (item.data for item in items)
        width = _STORAGES.get(kind, 0)
        if word != "storage" or not (width and isinstance(key, str) and isinstance(device, str)):
            raise DamagedError("a storage is not described as one")
        if type(count) is not int or self.storages.get(key) != count * width:
            raise DamagedError(f"the storage {shown(key)} has another size than it says")
        if self.used.setdefault(key, kind) != kind:
            raise DamagedError(f"the storage {shown(key)} has two types")
        self.make("storage", count)

    def call(self) -> None:
        """An ordered dictionary, or a tensor."""
        given, function = self.pop("tuple"), self.pop("global").data
        if function == _ORDERED and not given.data:
            self.make("ordered")
        elif function == _REBUILD and _is_tensor(given.data):
            self.make("tensor")
        else:
            raise DamagedError("its pickle does not make a tensor of a storage")

    def build(self) -> None:
        """The weights of a model have one attribute, the versions of its modules."""
        state = self.pop("dict")
        target = self.top("ordered")
        if state.data != {"_metadata"}:
            raise DamagedError("its pickle sets attributes")
        target.take(state)


def _is_tensor(items: list[_Value]) -> bool:
    """Storage, offset, shape, strides, whether it has gradients, and no hooks."""
    kinds = ["storage", "constant", "tuple", "tuple", "constant", "ordered"]
    if [item.kind for item in items] != kinds or items[5].data:
        return False
    count, first, wants_gradient = items[0].data, items[1].data, items[4].data
    shape, strides = ([each.data for each in items[place].data] for place in (2, 3))
    if not all(type(n) is int and 0 <= n < 2**62 for n in (first, *shape, *strides)):
        return False
    if type(wants_gradient) is not bool or not len(shape) == len(strides) <= _DIMENSIONS:
        return False
    last = first + sum((n - 1) * step for n, step in zip(shape, strides, strict=True))
    entries = math.prod(shape)
    return bool(entries <= count and (entries == 0 or last < count))


_INSTRUCTIONS: dict[str, Callable[[_DryRun, Any], None]] = {
    "MARK": lambda run, _: run.mark(),
    "EMPTY_DICT": lambda run, _: run.make("dict"),
    "EMPTY_LIST": lambda run, _: run.make("list"),
    "TUPLE": lambda run, _: run.tuple_since_mark(),
    "APPEND": lambda run, _: run.append([run.pop()]),
    "APPENDS": lambda run, _: run.append(run.since_mark()),
    "SETITEM": lambda run, _: run.set_items([run.pop(), run.pop()][::-1]),
    "SETITEMS": lambda run, _: run.set_items(run.since_mark()),
    "BINPUT": lambda run, place: run.remember(place),
    "LONG_BINPUT": lambda run, place: run.remember(place),
    "BINGET": lambda run, place: run.recall(place),
    "LONG_BINGET": lambda run, place: run.recall(place),
    "GLOBAL": lambda run, name: run.name(name),
    "BINPERSID": lambda run, _: run.storage(),
    "REDUCE": lambda run, _: run.call(),
    "BUILD": lambda run, _: run.build(),
}


def check_pickle(data: bytes, storages: Mapping[str, int]) -> set[str]:
    """The keys of the storages that a pickle uses; refuses one that does not make a checkpoint.

    ``storages`` are those of the archive with their bytes.
    """
    if data[:2] != b"\x80\x02":
        raise DamagedError("its pickle is not one of a checkpoint")
    run = _DryRun(storages)
    for count, (name, argument) in enumerate(_instructions(data)):
        if count > _MOST:
            raise DamagedError(f"its pickle has more than {_MOST:,} instructions")
        if count and name != "STOP":
            run.step(name, argument)
    if run.marked or len(run.stack) != 1 or run.stack[0].kind != "dict":
        raise DamagedError("its pickle is not one of a checkpoint")
    return set(run.used)


def _instructions(data: bytes) -> Iterator[tuple[str, Any]]:
    """The instructions with their arguments."""
    try:
        for code, argument, _ in pickletools.genops(data):
            yield code.name, argument
    except Exception as error:
        raise DamagedError("its pickle is cut off, or none") from error
