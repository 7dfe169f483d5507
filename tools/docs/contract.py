"""What scripts may rely on: the JSON keys of each command, and the exit statuses of all.

More keys may be added to a document; those named here stay.
"""

from __future__ import annotations

#: What a command answers, and keys of its JSON document.
KEYS: dict[str, tuple[str, ...]] = {
    "info": ("vertices", "triples", "relations", "self_loops", "duplicates", "seconds"),
    "estimate": ("vertices", "triples", "engines", "engine", "bytes", "seconds", "available"),
    "refine": (
        "test",
        "direction",
        "rounds",
        "stable",
        "exact",
        "classes",
        "classes_per_round",
        "distinguishable_pairs",
        "indistinguishable_pairs",
        "engine",
        "seconds",
    ),
    "relations": ("relations", "classes", "alike"),
    "pairs": ("count", "pairs"),
    "compare": ("verdicts", "weakest", "isomorphic"),
    "counterexample": ("name", "parameters", "verdicts"),
    "explain": ("round", "formula", "holds", "depth", "size", "sparql"),
    "symmetry": ("orbits", "classes", "complete", "group_order", "open_pair", "seconds"),
    "verify": ("valid", "kind"),
    "train": (
        "model",
        "parameters",
        "epochs",
        "loss",
        "train_accuracy",
        "test_accuracy",
        "seconds_per_epoch",
        "seed",
    ),
    "predict": ("predictions",),
    "versus": ("layers", "bound_holds", "matches"),
    "ceiling": ("rounds", "colliding"),
    "reproduce": ("questions",),
}

#: What lies inside a key, or when a document has other keys.
REMARKS: dict[str, str] = {
    "relations": "`alike: [[names]]` without a query; `queries: [{relation, classes, rounds, "
    "alike}]` given the relation of each query.",
    "pairs": "`pairs` holds `[v, w, round]`, in an order that never changes.",
    "compare": "A verdict is `{test, separated, round, rounds, classes, skipped}`; "
    "`isomorphic` is true, false, or null if it is open.",
    "explain": "Two graphs: `counts` instead of `holds`. One vertex: `class_size`. With "
    "`--checkpoint`, `--predictions` or `--targets`: `fidelity`, "
    "`classes: [{label, formula, size, sparql, vertices}]`, `curve: [{fidelity, size}]`, "
    "`bound_holds`.",
    "symmetry": "`complete` is true, false, or null if it is open.",
    "versus": "A layer is `{layer, wl_classes, model_classes, relation, max_spread, min_gap}`.",
    "ceiling": "A round is `{round, correct, total, accuracy}`, for each split. With `--links`: "
    "`answers` and `tests: [{test, rounds}]`; a round is `{round, ties, exact}`, where `round` is "
    "1, 2, ... or null when stable, and `ties` has `{mrr, hits_at_1, hits_at_3, hits_at_10, "
    "mean_rank}` for `random`, `pessimistic` and `optimistic`.",
    "reproduce": "A question is `{question, answer, evidence}`.",
}

STATUSES: dict[str, str] = {
    "0": "fine; of `compare`: nothing separates the graphs",
    "1": "the answer is *different* (`compare`), *violated* (`versus`), *does not hold* (`verify`)",
    "2": "bad usage or bad input",
    "3": "refused because it would not fit into memory",
    "4": "an optional part is not installed",
    "70": "a bug in wlkg",
    "74": "the output cannot be written",
    "129, 130, 143": "interrupted by SIGHUP, Ctrl-C, SIGTERM",
    "141": "nobody reads the output any more",
}
