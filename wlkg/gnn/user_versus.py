"""A user's own model against every vertex test: which of them bound it, and which it matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wlkg.gnn.clusters import Clusters, cluster
from wlkg.gnn.diagnosis import Diagnosis, diagnose
from wlkg.gnn.runs import Order, UserRun
from wlkg.gnn.usermodels import UserModel
from wlkg.gnn.verdicts import (
    DrawVerdict,
    LayerVerdict,
    bound_holds,
    judge_layer,
    judge_layers,
    matches,
    most_telling,
)
from wlkg.gnn.versus import Setting, check_finite
from wlkg.progress import SILENT, Progress
from wlkg.refinement import Refinement

#: From the weakest on, as far as there is an order.
USUAL_TESTS = ("1-wl", "weak-rwl", "mean-rwl", "1-rwl")


@dataclass(frozen=True)
class Against:
    """A model against one test."""

    test: str
    refinement: Refinement
    layers: tuple[LayerVerdict, ...]
    draws: tuple[DrawVerdict, ...]

    @property
    def bound_holds(self) -> bool | None:
        return bound_holds(self.draws)

    @property
    def matches(self) -> bool | None:
        return matches(self.layers)

    @property
    def relation(self) -> str:
        """The relation of all layers together."""
        found = {layer.relation for layer in self.layers} - {"equal"}
        if len(found) < 2:
            return found.pop() if found else "equal"
        return "undecided" if "undecided" in found else "incomparable"


@dataclass(frozen=True)
class UserVersus:
    """A user's model against several tests."""

    name: str
    per_layer: bool
    against: tuple[Against, ...]
    #: The test whose layers are shown.
    chosen: Against
    diagnosis: Diagnosis

    @property
    def matching(self) -> tuple[str, ...]:
        """The tests that see exactly what the model sees."""
        return tuple(found.test for found in self.against if found.matches)

    @property
    def bounding(self) -> tuple[str, ...]:
        """The tests that see all that the model sees."""
        return tuple(found.test for found in self.against if found.bound_holds)

    @property
    def bound_holds(self) -> bool | None:
        """Whether some test bounds the model."""
        if self.diagnosis.leaks_identity or self.diagnosis.depends_on_order:
            return False
        found = {against.bound_holds for against in self.against}
        return True if True in found else None if None in found else False


def versus_user(
    setting: Setting,
    load: Callable[[int], UserModel],
    *,
    tests: Sequence[str] = (),
    layers: int | None = None,
    draws: int = 3,
    seed: int = 0,
    progress: Progress = SILENT,
) -> UserVersus:
    """A user's model, loaded with several seeds, against tests.

    A model that only gives its last features is held against the round of its number of layers,
    if that is given, and else against stable colours.
    """
    progress.start("running the model", draws, "draws")
    found: list[tuple[str, list[Clusters]]] = []
    try:
        for number in range(draws):
            model = load(seed + number)
            features, diagnosis = _look(setting, model, seed + number)
            if not number:
                first, reported = model, diagnosis
            found.append((f"seed {seed + number}", features))
            progress.done(number + 1)
    finally:
        progress.finish()
    per_layer = bool(first.per_layer)
    depth = len(found[0][1]) if per_layer else layers
    against = tuple(
        _against(test, setting.refined(test, rounds=depth), found, per_layer, depth)
        for test in tests or USUAL_TESTS
    )
    return UserVersus(first.name, per_layer, against, _chosen(against), reported)


def _look(setting: Setting, model: UserModel, seed: int) -> tuple[list[Clusters], Diagnosis]:
    run = UserRun(model, setting.arcs, setting.given, setting.device, setting.dtype)
    features = run(Order.given(setting.arcs))
    check_finite(features)
    found = diagnose(run, setting.arcs, features, seed + 1)
    return [cluster(rows, found.noise) for rows in features], found


def _against(
    test: str,
    refinement: Refinement,
    found: Sequence[tuple[str, list[Clusters]]],
    per_layer: bool,
    depth: int | None,
) -> Against:
    history = refinement.history
    if per_layer:
        draws = tuple(judge_layers(features, history, name) for name, features in found)
    else:
        last = refinement.rounds if depth is None else depth
        draws = tuple(
            DrawVerdict(name, (judge_layer(features[-1], history.partition(last), last, last),))
            for name, features in found
        )
    return Against(test, refinement, most_telling(draws), draws)


def _chosen(against: Sequence[Against]) -> Against:
    """The last test that the model matches, else the tightest bound, else the last test."""
    matching = [found for found in against if found.matches]
    bounding = [found for found in against if found.bound_holds]
    if matching:
        return matching[-1]
    return min(bounding, key=lambda found: found.layers[-1].wl_classes, default=against[-1])
