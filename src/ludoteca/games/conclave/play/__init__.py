"""Knowledge of agents: heuristics, a learned value and levels."""
