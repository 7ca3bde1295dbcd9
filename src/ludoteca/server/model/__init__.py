"""The model of a room, without any input or output: its events, and the table that they make."""
