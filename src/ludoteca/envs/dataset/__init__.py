"""Games and their positions as tables in Parquet files, for learners.

    from ludoteca.envs import dataset

    data = dataset.open_dataset("okupacio")  # a pyarrow.dataset.Dataset
    game = dataset.game_of(data)
    for batch in data.to_batches(batch_size=1024, columns=["view", "returns"]):
        arrays = dataset.to_numpy(batch, game)
        learn(arrays["view"]["owner"], arrays["returns"])

docs/dataset.md lists the columns. This package needs the extra `dataset`.
"""

from ludoteca.envs.dataset.columns import DatasetError
from ludoteca.envs.dataset.reading import game_of, open_dataset, read_records, to_numpy, verify
from ludoteca.envs.dataset.tracing import Recipe
from ludoteca.envs.dataset.writing import convert, make

__all__ = ["DatasetError", "Recipe", "convert", "game_of", "make", "open_dataset", "read_records", "to_numpy", "verify"]
