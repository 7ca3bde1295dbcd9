"""The document's program."""
