"""Games for researchers: environments, batches and datasets.

`import ludoteca` does not import this package. Each module names the extra that it needs.
"""
