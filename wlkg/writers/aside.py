"""Files that are written completely or not at all."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from wlkg.errors import OutputError


@contextmanager
def written_aside(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content replaces ``path`` if the block succeeds; ``.gz`` is compressed.

    After any failure, including Ctrl-C and a full disk, ``path`` is unchanged. A symbolic link
    keeps its target. A device or pipe cannot be replaced and is written to directly.
    """
    aside = None
    compress = path.suffix.lower() == ".gz"
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as raw, _compressed(raw, compress) as stream:
                yield stream
            return
        target = path.resolve()
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
        aside = Path(name)
        with os.fdopen(handle, "wb") as raw, _compressed(raw, compress) as stream:
            yield stream
        aside.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        aside.replace(target)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        if aside is not None:
            aside.unlink(missing_ok=True)


@contextmanager
def _compressed(raw: BinaryIO, compress: bool) -> Iterator[BinaryIO]:
    if not compress:
        yield raw
        return
    # No file name and no time, so that equal graphs give equal bytes.
    with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as stream:
        yield cast(BinaryIO, stream)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
