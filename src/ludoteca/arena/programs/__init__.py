"""Programs of strangers: the sandbox in which they run, and the conversation with a bot."""
