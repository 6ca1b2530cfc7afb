"""The types of the package are complete and right."""

from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path

import typed_sample

import acmotion
from acmotion import _native

PACKAGE = Path(__file__).parents[1]
STUB = Path(acmotion.__file__).with_name("_native.pyi")


def run(folder: Path, cache: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a module of Python in a folder."""
    environment = {**os.environ, "MYPY_CACHE_DIR": str(cache)}
    line = [sys.executable, "-m", *arguments]
    return subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True)


def test_mypy_is_satisfied(tmp_path):
    done = run(PACKAGE, tmp_path, "mypy")
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubtest_is_satisfied(tmp_path):
    """Compares the stubs with the module: names, parameters, defaults."""
    done = run(PACKAGE / "tests", tmp_path, "mypy.stubtest", "acmotion", "--concise", "--ignore-disjoint-bases")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_sample_runs():
    assert typed_sample.slash() == (29 / 30, [(14 / 30, 14 / 29)])
    distance, kinds = typed_sample.walk()
    assert distance > 4 and "created" in kinds and "request" in kinds
    assert typed_sample.replayed()
    assert typed_sample.visible() == "scenery is in the way"


def test_everything_public_is_exported_and_documented():
    stubs = {node.name for node in ast.parse(STUB.read_text()).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    native = {name for name in dir(_native) if not name.startswith("__")}
    assert stubs == native
    public = {name for name in native if not name.startswith("_")} | {"Bodies"}
    assert public == set(acmotion.__all__)
    for name in public:
        thing = getattr(acmotion, name)
        assert inspect.getdoc(thing), name
        assert getattr(thing, "__module__", "acmotion").split(".")[0] in ("acmotion", "builtins"), name
        for method in [method for method in vars(thing) if not method.startswith("_")] if inspect.isclass(thing) else []:
            assert inspect.getdoc(getattr(thing, method)), f"{name}.{method}"
