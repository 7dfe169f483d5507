"""Whether the Java that Spark needs is here; PySpark itself only says that its gateway ended."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from wlkg.errors import WlkgError

#: Spark 4 runs on no older Java.
OLDEST = 17
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')
_REMEDY = (
    f"Install Java {OLDEST} or newer (Debian: openjdk-{OLDEST}-jre-headless), or set JAVA_HOME"
)


class MissingJavaError(WlkgError):
    """No Java, or one that is too old."""

    exit_code = 4


def check_java() -> None:
    """Refuse to start Spark without a Java that can run it."""
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if program is None:
        raise MissingJavaError(f"Spark needs Java, and there is none on the PATH. {_REMEDY}")
    try:
        done = subprocess.run(  # noqa: S603
            [program, "-version"], capture_output=True, text=True, timeout=60, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise MissingJavaError(f"{program} does not run: {error}. {_REMEDY}") from error
    match = _VERSION.search(done.stderr + done.stdout)
    if match is not None and int(match[1]) < OLDEST:
        raise MissingJavaError(f"{program} is Java {match[1]}, which is too old. {_REMEDY}")
