"""Games for those who train agents and collect data: environments, batches, datasets. It names no game.

Nothing here is imported by `import ludoteca`, and each module says which extra it needs.
"""
