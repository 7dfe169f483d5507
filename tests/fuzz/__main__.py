"""Run the fuzzer: ``python -m tests.fuzz --inputs 100000 --seed 7``.

Ends with status 0 if nothing was found. Findings are made small and written to ``--corpus``, where
``tests/fuzz/test_corpus.py`` replays them for ever. ``--first`` continues an earlier run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.fuzz.case import SUFFIX, Case
from tests.fuzz.watch import Totals, run

CORPUS = Path(__file__).parent / "corpus"
#: Seconds between two lines about the progress.
_EVERY = 60.0
#: Findings that cost too much to be tried again and again.
_COSTLY = ("a hang", "a crash", "a worker", "too slow", "too large")


def main() -> None:
    """Run the fuzzer as the command line says."""
    options = _options()
    share = -(-options.inputs // options.jobs)
    ranges = [
        (first, min(first + share, options.first + options.inputs))
        for first in range(options.first, options.first + options.inputs, share)
    ]
    listener = _Listener(options)
    with ThreadPoolExecutor(options.jobs) as pool:
        runs = [pool.submit(run, options.seed, *each, options.only, listener) for each in ranges]
        totals = [each.result() for each in runs]
    found = sum((total.answers for total in totals), start=totals[0].answers.__class__())
    signatures = {signature for total in totals for signature in total.findings}
    seconds = time.monotonic() - listener.started
    print(
        f"{options.inputs:,} inputs in {seconds:,.0f} s: {found['accepted']:,} accepted,"
        f" {found['refused']:,} refused, {len(signatures)} different findings"
    )
    sys.exit(1 if signatures else 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1000, help="how many inputs")
    parser.add_argument("--seed", type=int, default=0, help="which inputs")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--only", help="a kind, or how its name begins: graph/turtle, table")
    parser.add_argument("--jobs", type=int, default=1, help="how many workers")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="where findings are written")
    return parser.parse_args()


class _Listener:
    """Prints the progress, and writes every new finding to the corpus."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self.started = self._shown = time.monotonic()

    def __call__(self, totals: Totals, report: dict[str, Any]) -> None:
        if "finding" in report:
            if report["new"]:
                self._keep(report["finding"].signature, report["finding"].details, report["number"])
            return
        if time.monotonic() - self._shown > _EVERY:
            self._shown = time.monotonic()
            seconds = self._shown - self.started
            slowest, number = report["slowest"]
            print(
                f"{seconds:7,.0f} s  at input {totals.done:,}: {dict(totals.answers)},"
                f" {len(totals.findings)} findings, {report['memory'] >> 20:,} MiB, slowest of the"
                f" last {slowest:.2f} s (input {number}), {totals.restarts} restarts",
                flush=True,
            )

    def _keep(self, signature: str, details: str, number: int) -> None:
        print(f"input {number}: {signature}\n{details}", flush=True)
        case = _small(self._options, number, signature)
        self._options.corpus.mkdir(exist_ok=True)
        path = self._options.corpus / f"{case.kind.replace('/', '-')}-{case.digest}{SUFFIX}"
        path.write_bytes(case.stored(signature))
        print(f"input {number}: {len(case.data):,} bytes in {path}", flush=True)


def _small(options: argparse.Namespace, number: int, signature: str) -> Case:
    """The input, made small unless that would take too long."""
    from tests.fuzz.inputs import make_input
    from tests.fuzz.minimise import minimised
    from tests.fuzz.trial import try_case

    case = make_input(options.seed, number, options.only)
    if signature.startswith(_COSTLY):
        return case
    with tempfile.TemporaryDirectory() as folder:

        def is_found(smaller: Case) -> bool:
            finding = try_case(smaller, Path(folder)).finding
            return finding is not None and finding.signature == signature

        return minimised(case, is_found) if is_found(case) else case


if __name__ == "__main__":
    main()
