"""One file a command: what it asks for and what it prints."""
