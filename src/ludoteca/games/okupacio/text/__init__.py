"""The document's program and its interfaces for other programs."""
