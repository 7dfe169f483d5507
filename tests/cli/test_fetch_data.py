"""``wlkg fetch-data``: against a server of our own, and without any."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run, RunJson
from wlkg.studies import fetch as fetching
from wlkg.studies.dataset import paper_files

GRAPH = b"<http://e/a> <http://e/p> <http://e/b> .\n<http://e/b> <http://e/p> <http://e/c> .\n"
TRAIN = b"bond\tlabel_mutagenic\nhttp://e/a\tyes\nhttp://e/b\tno\n"
TEST = b"bond\tlabel_mutagenic\nhttp://e/c\tyes\n"
FILES = {
    "mutag_stripped.nt.gz": gzip.compress(GRAPH),
    "trainingSet.tsv": TRAIN,
    "testSet.tsv": TEST,
    "completeDataset.tsv": b"not needed\n",
}


def archive(files: dict[str, bytes], *extra: tarfile.TarInfo) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as tar:
        for info in extra:
            tar.addfile(info)
        for name, content in files.items():
            info = tarfile.TarInfo(f"some/folder/{name}")
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return stream.getvalue()


class Server:
    """Answers each path with the bytes that are put there."""

    def __init__(self) -> None:
        self.content: dict[str, bytes] = {}
        self.cut_short = False
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                data = outer.content.get(self.path)
                if data is None:
                    self.send_error(404)
                    return
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[: len(data) // 2] if outer.cut_short else data)

            def log_message(self, *_arguments: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    server = Server()
    thread = threading.Thread(target=server.server.serve_forever)
    thread.start()
    monkeypatch.setattr(fetching, "ADDRESS", f"{server.address}/{{name}}.tgz")
    yield server
    server.server.shutdown()
    thread.join()
    server.server.server_close()


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_data_set_is_fetched_as_reproduce_wants_it(
    run: Run, server: Server, tmp_path: Path
) -> None:
    server.content["/mutag.tgz"] = data = archive(FILES)
    result = run("fetch-data", "mutag")
    assert result.exit_code == 0, result.stderr
    assert "3 vertices, 2 triples, 1 relation, 2 train and 1 test targets" in result.stdout
    assert hashlib.sha256(data).hexdigest() in result.stdout
    assert "next: wlkg reproduce mutag --data mutag --quick" in result.stdout
    assert {path.name for path in (tmp_path / "mutag").iterdir()} == set(FILES) - {
        "completeDataset.tsv"
    }
    assert paper_files("mutag", "mutag").graph == "mutag/mutag_stripped.nt.gz"
    assert (tmp_path / "mutag" / "testSet.tsv").read_bytes() == TEST
    assert [path.name for path in tmp_path.iterdir()] == ["mutag"]


def test_it_is_fetched_into_an_empty_folder_but_never_over_files(
    run_json: RunJson, run: Run, server: Server, tmp_path: Path
) -> None:
    server.content["/mutag.tgz"] = archive(FILES)
    (tmp_path / "data").mkdir()
    document = run_json("fetch-data", "mutag", "-o", "data")
    assert (document["schema"], document["folder"]) == ("wlkg/fetch-data/1", "data")
    assert (document["triples"], document["train"], document["test"]) == (2, 2, 1)
    assert document["files"]["testSet.tsv"] == hashlib.sha256(TEST).hexdigest()
    (tmp_path / "data" / "testSet.tsv").write_text("mine")
    result = run("fetch-data", "mutag", "-o", "data")
    assert result.exit_code == 2
    assert "data: already there, so nothing was fetched" in result.stderr
    assert (tmp_path / "data" / "testSet.tsv").read_text() == "mine"


def refused(run: Run, tmp_path: Path, *arguments: Any, status: int = 2) -> str:
    """The message of a refusal that leaves nothing behind."""
    before = sorted(path.name for path in tmp_path.iterdir())
    result = run("fetch-data", *arguments)
    assert (result.exit_code, result.stdout) == (status, "")
    assert result.stderr.startswith("error: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    return result.stderr


def test_a_machine_that_is_offline_is_told_what_to_do(
    run: Run, server: Server, tmp_path: Path
) -> None:
    address = server.address
    server.server.server_close()  # nobody listens any more
    message = refused(run, tmp_path, "aifb", "--from", f"{address}/aifb.tgz")
    assert "cannot be fetched:" in message
    assert "Is this machine online?" in message
    assert "--from FILE" in message


def test_a_name_that_nobody_knows_is_an_address_that_is_offline(run: Run, tmp_path: Path) -> None:
    message = refused(run, tmp_path, "aifb", "--from", "http://nowhere.invalid/aifb.tgz")
    assert "cannot be fetched:" in message


def test_an_archive_that_is_already_here_is_used(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.tgz").write_bytes(archive(FILES))
    assert run("fetch-data", "mutag", "--from", "mine.tgz").exit_code == 0
    assert (tmp_path / "mutag" / "trainingSet.tsv").read_bytes() == TRAIN


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a readable archive"),
        (b"<html>moved</html>", "not a readable archive"),
        (archive(FILES)[:200], "not a readable archive"),
        (archive({**FILES, "trainingSet.tsv": b""}), "does not hold the data set"),
        (archive({"mutag_stripped.nt.gz": b"no gzip"}), "does not hold the data set"),
        (archive({**FILES, "mutag_stripped.nt.gz": b"no gzip"}), "does not hold the data set"),
    ],
)
def test_an_archive_with_other_content_is_refused(
    run: Run, server: Server, tmp_path: Path, content: bytes, message: str
) -> None:
    server.content["/mutag.tgz"] = content
    assert message in refused(run, tmp_path, "mutag")


def test_the_counts_of_the_paper_are_checked(run: Run, server: Server, tmp_path: Path) -> None:
    other = {"aifb_stripped.nt.gz": FILES["mutag_stripped.nt.gz"]}
    for name in ("trainingSet.tsv", "testSet.tsv"):
        header = b"person\tlabel_affiliation"
        other[name] = FILES[name].replace(b"bond\tlabel_mutagenic", header)
    server.content["/aifb.tgz"] = archive(other)
    message = refused(run, tmp_path, "aifb")
    assert "not the data set of the paper: 3 vertices instead of 8,285, 2 triples" in message


def test_paths_and_links_of_an_archive_are_not_followed(
    run: Run, server: Server, tmp_path: Path
) -> None:
    link = tarfile.TarInfo("trainingSet.tsv")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
    up = tarfile.TarInfo("../../outside.tsv")
    server.content["/mutag.tgz"] = archive(FILES, link, up)
    assert run("fetch-data", "mutag").exit_code == 0
    assert (tmp_path / "mutag" / "trainingSet.tsv").read_bytes() == TRAIN
    assert not list(tmp_path.parent.glob("outside.tsv"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], "unknown study 'nobody'. Known: aifb"),
        (["mutag", "--from", "ftp://e/mutag.tgz"], "expected a file, or an address of http"),
        (["mutag", "--from", "missing.tgz"], "missing.tgz: cannot be opened: No such file"),
        (["mutag", "-o", "no/such/folder"], "no/such/folder: cannot be written"),
        (["mutag", "--sha256", "00"], "expected 00"),
        (["am"], "the server answers 404"),
    ],
)
def test_what_cannot_be_fetched_is_refused(
    run: Run, server: Server, tmp_path: Path, arguments: list[str], message: str
) -> None:
    server.content["/mutag.tgz"] = archive(FILES)
    assert message in refused(run, tmp_path, *arguments)


def test_a_download_that_breaks_off_is_refused(run: Run, server: Server, tmp_path: Path) -> None:
    server.content["/mutag.tgz"] = archive(FILES)
    server.cut_short = True
    assert "broke off" in refused(run, tmp_path, "mutag")


def test_the_real_data_set_passes_the_check(run: Run, tmp_path: Path, data_dir: Path) -> None:
    names = ("aifb_stripped.nt.gz", "trainingSet.tsv", "testSet.tsv")
    files = {name: (data_dir / "aifb" / name).read_bytes() for name in names}
    (tmp_path / "aifb.tgz").write_bytes(archive(files))
    result = run("fetch-data", "aifb", "--from", "aifb.tgz")
    assert result.exit_code == 0, result.stderr
    assert "8,285 vertices, 29,043 triples, 45 relations, 140 train and 36 test" in result.stdout
    assert "all counts are those of the paper" in result.stdout
