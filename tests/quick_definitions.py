"""The definitions with a stand-in encoder, for a Dagster process of its own: `dagster ... -m quick_definitions`."""

from fakes import FakeEncoder

from assets.definitions import defs
from assets.partitions import saero

saero().encoder = saero().query_encoder = FakeEncoder()  # type: ignore[assignment]

__all__ = ["defs"]
