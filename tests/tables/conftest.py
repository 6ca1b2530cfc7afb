"""What the tests share: the command, captures made by hand, and their tables."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest

from made_captures import write_captures

ROOT = Path(__file__).parents[2]
TABLES = ["messages", "entities", "reports", "states", "events", "sends", "captures"]
sys.path.insert(0, str(ROOT / "examples" / "spark"))

Run = Callable[..., subprocess.CompletedProcess]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Lists what was skipped, as `.ci/run` reads it."""
    for report in terminalreporter.getreports("skipped"):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        terminalreporter.write_line(f"not run: tables: {report.nodeid}: {reason}")


def need(package: str) -> Any:
    """Imports a package, or skips the tests of the file."""
    return pytest.importorskip(package, reason=f"{package} is missing")


def need_java() -> None:
    """Skips the tests of the file without Java, which Spark runs on."""
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("Java is missing", allow_module_level=True)


@pytest.fixture(scope="session")
def command() -> str:
    """The path of the `acmotion` command."""
    built = [ROOT / "target" / profile / "acmotion" for profile in ("release", "debug")]
    named = os.environ.get("ACMOTION_COMMAND")
    found = [Path(named)] if named else [path for path in built if path.exists()]
    assert found, "the command has not been built"
    return str(found[0].resolve())


@pytest.fixture(scope="session")
def run(command: str) -> Run:
    """Runs the command and checks its exit code."""

    def run(*arguments: object, code: int = 0) -> subprocess.CompletedProcess:
        done = subprocess.run([command, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done

    return run


@pytest.fixture(scope="session")
def decoded(run: Run) -> Callable[..., list[dict[str, Any]]]:
    """The lines that `decode --json` prints of a capture."""

    def decoded(path: Path, *options: str) -> list[dict[str, Any]]:
        # The exit code of a damaged capture is 1.
        done = run("decode", "--json", path, *options, code=int("damaged" in path.name))
        return [json.loads(line) for line in done.stdout.splitlines()]

    return decoded


@pytest.fixture(scope="session")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of captures: plain, packed, in an archive, a damaged one, and an archive that cannot be read."""
    folder = tmp_path_factory.mktemp("captures")
    write_captures(folder)
    return folder


@pytest.fixture(scope="session")
def dataset(run: Run, captures: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of these captures."""
    out = tmp_path_factory.mktemp("dataset") / "tables"
    run("export", "tables", captures, "--out", out, code=1)
    return out


@pytest.fixture(scope="session")
def recording_files() -> list[Path]:
    """Recordings of the game. Skipped without them."""
    folder = os.environ.get("ACMOTION_CAPTURES")
    if not folder:
        pytest.skip("ACMOTION_CAPTURES is not set")
    files = [path for path in sorted(Path(folder).iterdir()) if path.suffix in (".jsonl", ".pcap")]
    # Beside a recording there can be what it decodes to.
    return [path for path in files if not path.name.endswith(".decoded.jsonl")]


@pytest.fixture(scope="session")
def recordings(run: Run, recording_files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of a recording of a retail server. Skipped without it."""
    [recording] = [path for path in recording_files if path.name == "retail_training_academy.jsonl"]
    out = tmp_path_factory.mktemp("recordings") / "tables"
    run("export", "tables", recording, "--out", out, "--self", "0x501417CA")
    return out
