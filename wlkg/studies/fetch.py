"""Fetching a data set of the paper's study from its public address.

Nothing is ever fetched by reading a graph: only by this, when a user asks for it. The archive is
downloaded and unpacked into a folder of its own beside the target, its content is checked by
reading it, and only then does the folder get its name. So the target is complete or not there.
"""

from __future__ import annotations

import hashlib
import http.client
import lzma
import tarfile
import tempfile
import urllib.error
import urllib.request
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO

from wlkg.errors import InputError, OutputError, TooLargeError, UsageError, write_error
from wlkg.progress import SILENT, Progress
from wlkg.studies.dataset import Dataset, load_dataset, paper_files
from wlkg.studies.paper_data import PaperStudy, find_paper_study

#: Where PyTorch Geometric's ``Entities`` and DGL fetch the files, too.
ADDRESS = "https://data.dgl.ai/dataset/{name}.tgz"
#: Seconds without an answer.
_TIMEOUT = 30.0
_BLOCK = 1 << 18
#: The largest archive of the collection has less than a tenth of this.
_MOST_BYTES = 4 << 30
_OFFLINE = (
    "Is this machine online? If not, fetch the archive elsewhere and pass it with --from FILE"
)


@dataclass(frozen=True)
class Fetched:
    """A data set that is now in a folder."""

    name: str
    folder: str
    source: str
    #: The SHA-256 of the archive, and of each file.
    sha256: str
    files: dict[str, str]
    dataset: Dataset
    #: Whether the paper prints the counts of this data set, so that they could be checked.
    checked: bool


def fetch(
    name: str,
    folder: str | None = None,
    *,
    source: str | None = None,
    sha256: str | None = None,
    progress: Progress = SILENT,
) -> Fetched:
    """Put a data set into a folder, by default one of its name, which must be new or empty.

    ``source`` is another address, or an archive that is already here; ``sha256`` is what its
    digest must be.
    """
    study = find_paper_study(name)
    target = Path(name if folder is None else folder)
    _refuse_filled(target)
    place = ADDRESS.format(name=name) if source is None else source
    with _beside(target) as workshop:
        archive, inside = workshop / "archive", workshop / "files"
        digest = _download(place, archive, progress)
        if sha256 is not None and digest != sha256.lower():
            raise InputError(f"its SHA-256 is {digest}, expected {sha256}", path=place)
        files = _unpack(archive, inside, study, place)
        dataset = _checked(name, study, inside, place, progress)
        _put_in_place(inside, target)
    return Fetched(name, str(target), place, digest, files, dataset, study.printed is not None)


def _refuse_filled(target: Path) -> None:
    if target.is_dir() and not any(target.iterdir()):
        return
    if target.exists():
        raise OutputError(
            f"{target}: already there, so nothing was fetched. Choose another with -o"
        )


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A folder beside the target that is removed at the end."""
    try:
        holder = tempfile.TemporaryDirectory(
            prefix=f".{target.name[:100]}.",
            suffix=".wlkg-part",
            dir=target.parent,
            ignore_cleanup_errors=True,
        )
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror}") from error
    with holder as folder:
        yield Path(folder)


def _download(place: str, archive: Path, progress: Progress) -> str:
    """Copy what is at a place to a file; its digest."""
    digest = hashlib.sha256()
    with _opened(place) as (stream, total), _written(archive) as output:
        progress.start(f"fetching {place}", total, "bytes")
        try:
            copied = 0
            while block := _block(stream, place):
                copied += len(block)
                if copied > _MOST_BYTES:
                    raise TooLargeError(f"{place}: more than {_MOST_BYTES >> 30} GiB")
                digest.update(block)
                output.write(block)
                progress.done(copied)
        finally:
            progress.finish()
    if total is not None and copied != total:
        raise InputError(
            f"broke off after {copied:,} of {total:,} bytes", path=place, remedy="Try again"
        )
    return digest.hexdigest()


@contextmanager
def _opened(place: str) -> Iterator[tuple[IO[bytes], int | None]]:
    """The bytes at an address or in a file, and how many there should be."""
    if not place.lower().startswith(("http://", "https://")):
        if "://" in place:
            raise UsageError(f"--from {place}: expected a file, or an address of http or https")
        try:
            with Path(place).open("rb") as stream:
                yield stream, Path(place).stat().st_size
        except OSError as error:
            raise InputError(f"cannot be opened: {error.strerror}", path=place) from error
        return
    try:
        request = urllib.request.Request(place, headers={"User-Agent": "wlkg"})  # noqa: S310
        answer = urllib.request.urlopen(request, timeout=_TIMEOUT)  # noqa: S310  http only
    except urllib.error.HTTPError as error:
        error.close()
        raise InputError(
            f"the server answers {error.code} {error.reason}",
            path=place,
            remedy="Another address or a file may be given with --from",
        ) from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise InputError(f"cannot be fetched: {reason}", path=place, remedy=_OFFLINE) from error
    with answer:
        length = answer.headers.get("Content-Length", "")
        yield answer, int(length) if length.isdecimal() else None


def _block(stream: IO[bytes], place: str) -> bytes:
    try:
        return stream.read(_BLOCK)
    except (OSError, http.client.HTTPException) as error:
        raise InputError(
            f"broke off: {error or type(error).__name__}", path=place, remedy="Try again"
        ) from error


@contextmanager
def _written(path: Path) -> Iterator[BinaryIO]:
    """A new file; a failed write is an error about it."""
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("xb") as stream:
            yield stream
    except OSError as error:
        raise write_error(str(path.parent.parent), error) from error


def _unpack(archive: Path, folder: Path, study: PaperStudy, place: str) -> dict[str, str]:
    """Copy the files of the study out of an archive, wherever they lie in it; their digests.

    Nothing else of the archive is used, neither its paths nor its links.
    """
    wanted = {*study.graphs, study.targets, study.holdout}
    digests: dict[str, str] = {}
    folder.mkdir()
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                name = Path(member.name).name
                content = tar.extractfile(member) if member.isreg() and name in wanted else None
                if content is None or name in digests:
                    continue
                if member.size > _MOST_BYTES:
                    raise TooLargeError(f"{place}: {name} has {member.size:,} bytes")
                digests[name] = _copy(content, folder / name)
    except (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise InputError(f"not a readable archive: {error}", path=place) from error
    return digests


def _copy(content: IO[bytes], path: Path) -> str:
    digest = hashlib.sha256()
    with _written(path) as output:
        while block := content.read(_BLOCK):
            digest.update(block)
            output.write(block)
    return digest.hexdigest()


def _checked(name: str, study: PaperStudy, folder: Path, place: str, progress: Progress) -> Dataset:
    """The data set, read from the files, with the counts that the paper prints."""
    try:
        dataset = load_dataset(paper_files(name, str(folder)), progress)
    except InputError as error:
        raise InputError(
            f"the archive does not hold the data set: {error.message}", path=place
        ) from error
    printed = study.printed
    if printed is None:
        return dataset
    expected = {
        "vertices": (dataset.graph.num_vertices, printed.vertices),
        "triples": (dataset.graph.num_triples, printed.edges),
        "relations": (dataset.graph.num_relations, printed.relations),
        "train targets": (len(dataset.targets), printed.train),
        "test targets": (len(dataset.holdout or ()), printed.test),
    }
    wrong = [
        f"{found:,} {what} instead of {wanted:,}"
        for what, (found, wanted) in expected.items()
        if found != wanted
    ]
    if wrong:
        raise InputError(f"not the data set of the paper: {', '.join(wrong)}", path=place)
    return dataset


def _put_in_place(folder: Path, target: Path) -> None:
    try:
        if target.is_dir():
            target.rmdir()
        folder.rename(target)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror}") from error
