"""What a newer version does to the older, by the source in which the two were compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pipelines.versions import Replacement


class Policies:
    """The policy is that of the source in which two were compared, whoever else holds a copy.

    While documents of a source that left the settings still serve, what stands there stays as it was decided.
    """

    def __init__(self, of_sources: Mapping[str, str], standing: Iterable[dict[str, Any]]) -> None:
        self._of_sources = of_sources
        self._stood: dict[tuple[str, str], tuple[str, str]] = {
            (row["older_body"], row["newer_body"]): (row["policy"], row["older_source"]) for row in standing
        }

    def of(self, edge: Replacement) -> str:
        """Return "replace", "demote" or "list"; "list" too for what is found in a source without a policy."""
        policy, decided_by = self._stood.get((edge.older_body, edge.newer_body), ("list", ""))
        source = edge.older[0]
        return self._of_sources.get(source, policy if decided_by == source else "list")

    def of_accepted(self, edge: Replacement) -> str:
        """Return "replace" or "demote"; "" while nothing says which, because the source left the settings."""
        policy = self._of_sources.get(edge.older[0])
        if policy is None:
            return self._stood.get((edge.older_body, edge.newer_body), ("", ""))[0]
        return "demote" if policy == "demote" else "replace"
