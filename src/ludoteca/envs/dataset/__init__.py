"""Games and their positions as tables, Parquet or Arrow: written by `make` and `convert`, read by `open_dataset`.

    from ludoteca.envs import dataset

    data = dataset.open_dataset("okupacio.parquet")
    for batch in data.batches(1024, ["view", "legal", "visits", "returns"]):
        learn(batch["view"]["owner"], batch["visits"].padded(0), batch["returns"])

docs/dataset.md has the columns. It needs the extra `dataset`.
"""

from ludoteca.envs.dataset.about import DatasetError
from ludoteca.envs.dataset.reading import Dataset, Ragged, open_dataset
from ludoteca.envs.dataset.tracing import Plan
from ludoteca.envs.dataset.writing import Made, convert, make

__all__ = ["Dataset", "DatasetError", "Made", "Plan", "Ragged", "convert", "make", "open_dataset"]
