"""The game as players see it: drawings, guide, lesson and texts."""
