"""How a person asks: the command line."""

__version__ = "0.1.0"
