"""The whole command over what ours_child.py left: `python command_child.py HOME`, `saero refresh` with its encoder."""

from __future__ import annotations

import sys
from pathlib import Path

from corpus import Laps
from ours_child import CountingEncoder

from resources.build import Saero
from saero.cli import main

if __name__ == "__main__":
    encoder = CountingEncoder(Laps())
    Saero.encoder = Saero.query_encoder = property(lambda _: encoder)  # type: ignore[assignment,method-assign]
    main(["--config", str(Path(sys.argv[1]) / "saero.toml"), "refresh", "--json"])
