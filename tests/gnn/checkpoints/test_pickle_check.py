"""Pickles that would fill the memory, take for ever or run code are refused before they run."""

from __future__ import annotations

import pickle
import tracemalloc
from collections import Counter
from collections.abc import Callable

import pytest

from tests.gnn.checkpoints.pickles import (
    BEGIN,
    EMPTY_DICT,
    HOOKS,
    STOP,
    bomb_of_memory,
    bomb_of_time,
    holding,
    named,
    nested_tuples,
    number,
    storage,
    tensor,
    tuples,
    word,
)
from wlkg.gnn.checkpoints import pickle_check
from wlkg.gnn.checkpoints.damage import DamagedError
from wlkg.gnn.checkpoints.pickle_check import check_pickle

STORAGES = {"0": 24}
GOOD = {
    "nothing": BEGIN + EMPTY_DICT + STOP,
    "words and numbers": pickle.dumps(
        {"a": [1, 2.5, None, True, (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), 10**30], 1: {}},
        protocol=2,
    ),
    "a tuple that is used twice": pickle.dumps({"a": (t := ("x", "y")), "b": t}, protocol=2),
    "a tensor": holding(tensor()),
    "a tensor within a storage": holding(tensor((2,), (2,))),
    "a tensor without numbers": holding(tensor((0, 5), (5, 1))),
    "a number": holding(tensor((), ())),
}

BAD: dict[str, tuple[bytes, str]] = {
    "3.2 GB of zeros": (
        bomb_of_memory(),
        "names 'builtins bytearray'",
    ),
    "a key that never ends": (
        bomb_of_time(),
        "too large or nested too deeply",
    ),
    "a small tuple as a key": (BEGIN + EMPTY_DICT + b")" + number(1) + b"s" + STOP, "a key is not"),
    "a value that never ends": (holding(nested_tuples(30, b"")), "too large"),
    "deep tuples": (holding(b")" + b"\x85" * 100), "nested too deeply"),
    "deep lists": (holding(b"]" * 10**5 + b"a" * 10**5), "nested too deeply"),
    "a list that holds itself": (holding(b"]q\x00h\x00a"), "a container is used twice"),
    "a dictionary that holds itself": (
        holding(EMPTY_DICT + b"q\x00" + word("a") + b"h\x00s"),
        "a container is used twice",
    ),
    "a far place": (holding(number(1) + b"r\xff\xff\xff\x7f"), "not one of a checkpoint"),
    "a place that was not filled": (holding(b"h\x07"), "a container is used twice"),
    "a key that is given twice": (
        BEGIN + EMPTY_DICT + (word("a") + number(1) + b"s") * 2 + STOP,
        "'a' is not allowed, or given twice",
    ),
    "code": (holding(named("os", "system") + word("true") + b"\x85R"), "names 'os system'"),
    "a counter": (pickle.dumps({"a": Counter("abc")}, protocol=2), "names 'collections Counter'"),
    "filled at once": (
        holding(named("collections", "OrderedDict") + tuples(b"]") + b"R"),
        "does not make a tensor",
    ),
    "an attribute": (
        holding(HOOKS + EMPTY_DICT + word("items") + number(1) + b"s" + b"b"),
        "sets attributes",
    ),
    "another protocol": (pickle.dumps({}, protocol=4), "not one of a checkpoint"),
    "bytes": (holding(b"C\x01x"), "the instruction SHORT_BINBYTES"),
    "a duplicate": (holding(b"]2a"), "the instruction DUP"),
    "an object": (holding(b")\x81"), "the instruction NEWOBJ"),
    "an extension": (holding(b"\x82\x01"), "the instruction EXT1"),
    "no dictionary": (pickle.dumps([1], protocol=2), "not one of a checkpoint"),
    "two values": (BEGIN + EMPTY_DICT * 2 + STOP, "not one of a checkpoint"),
    "no value": (BEGIN + STOP, "not one of a checkpoint"),
    "an open mark": (BEGIN + EMPTY_DICT + b"(" + STOP, "not one of a checkpoint"),
    "no mark": (BEGIN + b"t" + STOP, "not one of a checkpoint"),
    "beyond a mark": (BEGIN + EMPTY_DICT + b"(s" + STOP, "not one of a checkpoint"),
    "no end": (BEGIN + EMPTY_DICT, "cut off, or none"),
    "cut off": (BEGIN + b"X\xff\xff\xff\xffabc", "cut off, or none"),
    "a storage that is not there": (holding(tensor(held=storage(key="1"))), "has another size"),
    "a larger storage": (holding(tensor(held=storage(4))), "has another size"),
    "a negative storage": (holding(tensor(held=storage(-3))), "has another size"),
    "a storage of integers": (
        holding(tensor(held=storage(kind=named("torch", "LongStorage")))),
        "names 'torch LongStorage'",
    ),
    "a storage of two types": (
        holding(b"(" + storage() + storage(6, kind=named("torch", "FloatStorage")) + b"t"),
        "has two types",
    ),
    "a persistent word": (holding(tuples(word("x")) + b"Q"), "not described as one"),
    "a larger tensor": (holding(tensor((4,))), "does not make a tensor"),
    "a tensor beyond the end": (holding(tensor((2,), (1,), offset=2)), "does not make a tensor"),
    "a tensor with wide steps": (holding(tensor((2,), (3,))), "does not make a tensor"),
    "an expanded tensor": (holding(tensor((10**9,), (0,))), "does not make a tensor"),
    "a negative offset": (holding(tensor((1,), (1,), offset=-1)), "does not make a tensor"),
    "a negative shape": (holding(tensor((-1,))), "does not make a tensor"),
    "other strides": (holding(tensor((3,), (1, 1))), "does not make a tensor"),
    "many dimensions": (holding(tensor((1,) * 9, (1,) * 9)), "does not make a tensor"),
    "hooks": (holding(tensor(hooks=HOOKS + word("a") + number(1) + b"s")), "does not make"),
    "a tensor of nothing": (
        holding(named("torch._utils", "_rebuild_tensor_v2") + b")R"),
        "does not make a tensor",
    ),
    "a call of a storage": (holding(named("torch", "FloatStorage") + b")R"), "does not make"),
}


@pytest.mark.parametrize("kind", GOOD)
def test_what_a_checkpoint_holds_is_allowed(kind: str) -> None:
    used = {"0"} if b"storage" in GOOD[kind] else set()
    assert check_pickle(GOOD[kind], STORAGES) == used


@pytest.mark.parametrize("kind", BAD)
def test_what_no_checkpoint_holds_is_refused(kind: str) -> None:
    data, message = BAD[kind]
    tracemalloc.start()
    with pytest.raises(DamagedError, match=message):
        check_pickle(data, STORAGES)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10**6 + 1000 * len(data)


def test_a_pickle_with_too_many_instructions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pickle_check, "_MOST", 100)
    names = pickle.dumps({"a": [str(n) for n in range(100)]}, protocol=2)
    with pytest.raises(DamagedError, match="more than 100 instructions"):
        check_pickle(names, {})


def test_a_tuple_that_is_used_often_counts_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = tuple(range(1000))
    data = pickle.dumps({"a": [shared] * 900}, protocol=2)
    check_pickle(data, {})
    monkeypatch.setattr(pickle_check, "_MOST", 900_000)
    with pytest.raises(DamagedError, match="too large"):
        check_pickle(data, {})


WRAPPERS: dict[str, Callable[[bytes], bytes]] = {
    "itself": lambda data: data,
    "every byte changed": lambda data: bytes(255 - byte for byte in data),
    "reversed": lambda data: data[::-1],
}


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_any_beginning_of_any_pickle_ends_in_a_complaint(wrapper: str) -> None:
    whole = GOOD["a tensor"]
    for end in range(len(whole)):
        with pytest.raises(DamagedError):
            check_pickle(BEGIN + WRAPPERS[wrapper](whole[:end])[2:], STORAGES)
