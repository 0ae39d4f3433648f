"""The ledger: DuckDB behind a file lock, with numbered migrations."""

from resources.ledger.connection import Ledger

__all__ = ["Ledger"]
