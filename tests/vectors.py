"""Every vector of every format: `VECTORS` of each vectors_*.py beside this file, taken in by its name."""

from __future__ import annotations

import importlib
from collections import Counter
from pathlib import Path

from vector import Vector


def _collected() -> tuple[Vector, ...]:
    """Import the modules in the order of their names; two vectors of one name can't be told apart in a report."""
    modules = sorted(path.stem for path in Path(__file__).parent.glob("vectors_*.py"))
    found = [vector for module in modules for vector in importlib.import_module(module).VECTORS]
    twice = sorted(name for name, count in Counter(vector.name for vector in found).items() if count > 1)
    if twice:
        raise ValueError(f"several vectors are called {', '.join(twice)}")
    return tuple(found)


VECTORS = _collected()
