"""Executes a notebook from its first cell to its last, and fails where a cell does. The notebook itself stays as it is.

    python bindings/python/examples/run_notebook.py bindings/python/examples/worst_snap.ipynb
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def main() -> None:
    for name in sys.argv[1:]:
        path = Path(name).resolve()
        notebook = nbformat.read(path, as_version=4)
        assert not any(cell.get("outputs") for cell in notebook.cells), f"{path.name}: clear its outputs first"
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        plots = sum("image/png" in output.get("data", {}) for output in outputs)
        texts = [line for output in outputs for line in output.get("text", "").splitlines()]
        assert plots, f"{path.name}: there is no plot"
        print(f"{path.name}: {len(notebook.cells)} cells, {plots} plots")
        print("\n".join(f"  {line}" for line in texts))


if __name__ == "__main__":
    main()
