"""What a room is made of, without any input or output: its events, and the table that they make."""
