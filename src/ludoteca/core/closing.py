"""Objects that are closed at the end of a `with` block."""

from abc import ABC, abstractmethod
from typing import Self


class Closing(ABC):
    """A context manager that gives itself and calls `close` at the end of the block."""

    @abstractmethod
    def close(self) -> object:
        """Give back what the object holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
