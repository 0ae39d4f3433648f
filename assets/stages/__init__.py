"""The stages of a run, without Dagster: ask the ledger, call pure functions, tell the ledger."""
