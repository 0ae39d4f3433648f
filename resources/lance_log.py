"""Keeps Lance's log quiet unless a person asks: it writes warnings to stderr past Python's logging."""

from __future__ import annotations

import os

# Lance reads it once, when it is imported.
os.environ.setdefault("LANCE_LOG", "error")
# Statistics of the vector index are asked for list sizes; the centroids would come along, 1.5 kB a list.
os.environ.setdefault("LANCE_INCLUDE_VECTOR_CENTROIDS", "false")
