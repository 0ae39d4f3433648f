"""A figure of the dedup benchmark, with the bar it is held to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured; without a bar `met` says nothing."""

    name: str
    shown: str
    bar: str = ""
    met: bool = True
    note: str = ""

    def line(self) -> str:
        """Return the figure on one line, its note on the next."""
        verdict = ("met" if self.met else "MISSED") if self.bar else ""
        line = f"{self.name:56} {self.shown:>24}  {self.bar:12} {verdict}".rstrip()
        return f"{line}\n    {self.note}" if self.note else line
