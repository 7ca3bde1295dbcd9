"""Objects that are closed at the end of a `with` block."""

from abc import ABC, abstractmethod
from typing import Self


class Closing(ABC):
    """A base class for objects with a method `close`. In `with X() as x:`, x is the object itself, and it is closed at the
    end of the block.
    """

    @abstractmethod
    def close(self) -> object:
        """Release the resources of the object, such as files and processes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
