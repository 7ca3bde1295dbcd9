"""Learning of values from self-play, and of policies from games of searches."""
