"""Decoders against loops over their formulas."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence

import pytest
import torch

from tests.places import ROOT
from wlkg.errors import UsageError, WlkgError
from wlkg.gnn.config import DECODERS
from wlkg.gnn.models.decoders.mlp import MLPDecoder
from wlkg.gnn.models.decoders.pairs import PairDecoder
from wlkg.gnn.models.decoders.table import DECODER_CLASSES, make_decoder
from wlkg.gnn.models.squashing import squashed

Row = Sequence[float]


def _distmult(u: Row, z: Row, v: Row) -> float:
    return sum(a * b * c for a, b, c in zip(u, z, v, strict=True))


def _transe(u: Row, z: Row, v: Row) -> float:
    return -sum(abs(a + b - c) for a, b, c in zip(u, z, v, strict=True))


def _rotate(u: Row, z: Row, v: Row) -> float:
    half = len(z)
    pairs = [(complex(u[k], u[k + half]), z[k], complex(v[k], v[k + half])) for k in range(half)]
    return -sum(abs(a * cmath.exp(1j * angle) - b) for a, angle, b in pairs)


FORMULAS: dict[str, Callable[[Row, Row, Row], float]] = {
    "distmult": _distmult,
    "transe": _transe,
    "rotate": _rotate,
}


def test_every_decoder_that_users_choose_by_name_exists_and_is_checked_here() -> None:
    assert list(DECODER_CLASSES) == list(DECODERS)
    assert {*FORMULAS, "mlp"} == set(DECODERS)
    with pytest.raises(WlkgError, match=r"unknown decoder 'dot'.*distmult"):
        make_decoder("dot", 4, 2)


@pytest.mark.parametrize("name", sorted(DECODERS))
def test_scores_are_those_of_the_formula(name: str) -> None:
    torch.manual_seed(0)
    decoder = make_decoder(name, 6, 4).double()
    source, queries = torch.randn(3, 6).double(), torch.tensor([3, 0, 3])
    shared, own = torch.randn(5, 6).double(), torch.randn(3, 2, 6).double()
    scores, of_own = decoder(source, queries, shared), decoder(source, queries, own)
    assert (scores.shape, of_own.shape) == ((3, 5), (3, 2))
    for i, query in enumerate(queries.tolist()):
        u, z = source[i].tolist(), decoder.vectors[query].tolist()
        for j in range(5):
            assert scores[i, j].item() == pytest.approx(_score(decoder, u, z, shared[j].tolist()))
        for j in range(2):
            assert of_own[i, j].item() == pytest.approx(_score(decoder, u, z, own[i, j].tolist()))


def _score(decoder: torch.nn.Module, u: Row, z: Row, v: Row) -> float:
    if not isinstance(decoder, MLPDecoder):
        name = next(name for name, kind in DECODER_CLASSES.items() if isinstance(decoder, kind))
        return FORMULAS[name](u, z, v)
    weight = torch.cat([decoder.asked, decoder.candidate]).tolist()
    given = [*u, *z, *v]
    hidden: list[float] = [
        sum(x * row[k] for x, row in zip(given, weight, strict=True)) + decoder.bias[k].item()
        for k in range(len(u))
    ]
    out: list[float] = decoder.out[:, 0].tolist()
    return sum(max(h, 0.0) * w for h, w in zip(hidden, out, strict=True))


def test_the_decoder_of_pairs_is_a_hidden_layer_on_the_pair_and_the_query() -> None:
    torch.manual_seed(0)
    decoder = PairDecoder(3, 2).double()
    torch.nn.init.normal_(decoder.bias)
    pairs, vectors = torch.randn(2, 4, 3).double(), torch.randn(2, 2).double()
    weight = torch.cat([decoder.of_pair, decoder.of_query])
    for i in range(2):
        for j in range(4):
            given = torch.cat([pairs[i, j], vectors[i]])
            expected = torch.relu(given @ weight + decoder.bias) @ decoder.out
            assert decoder(pairs, vectors)[i, j].item() == pytest.approx(expected.item())


def test_the_page_about_models_shows_the_table() -> None:
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    rows = [f"| `{name}` | {summary} |" for name, summary in DECODERS.items()]
    _, _, rest = page.partition("<!-- decoders -->\n\n| `--decoder` | score |\n|---|---|\n")
    assert rest.partition("\n\n")[0].splitlines() == rows


def test_rotate_needs_real_and_imaginary_parts() -> None:
    with pytest.raises(UsageError, match="even width, found 5"):
        make_decoder("rotate", 5, 2)


def test_gradients_are_finite_where_a_candidate_is_hit_exactly() -> None:
    for name in DECODERS:
        decoder, source = make_decoder(name, 4, 2), torch.ones(1, 4, requires_grad=True)
        torch.nn.init.zeros_(decoder.vectors)
        decoder(source, torch.tensor([0]), torch.ones(1, 4)).sum().backward()
        assert source.grad is not None
        assert source.grad.isfinite().all()


def test_squashing_is_one_to_one_and_keeps_the_sign() -> None:
    x = torch.tensor([-1e6, -2.0, -0.5, 0.0, 0.5, 2.0, 1e6], dtype=torch.float64)
    y = squashed(x)
    assert (y[1:] > y[:-1]).all()
    assert y[6].item() == pytest.approx(math.log1p(1e6))
    assert torch.equal(y, -squashed(-x))
