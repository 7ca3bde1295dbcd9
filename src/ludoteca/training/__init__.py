"""Learning values from self-play."""
