"""Files that appear whole or not at all."""

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
    """A stream whose content replaces ``path`` when the block ends well; ``.gz`` is compressed.

    Anything else, Ctrl-C and a full disk included, leaves ``path`` as it was.
    """
    aside = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
        aside = Path(name)
        with os.fdopen(handle, "wb") as raw:
            if path.suffix.lower() == ".gz":
                # No name and no time, so that equal graphs give equal bytes.
                with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield raw
        aside.chmod(0o666 & ~_umask())
        aside.replace(path)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        if aside is not None:
            aside.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
