"""Times and sizes on the command line and in files: their notation, and their units."""

import pytest

from ludoteca.core.quantities import BYTES, COUNT, SECONDS, read_quantity, write_quantity


@pytest.mark.parametrize(
    ("text", "seconds"), [("5", 5), ("5s", 5), ("0.5s", 0.5), ("30m", 1800), ("1.5h", 5400), ("7d", 604_800), ("0", 0)]
)
def test_a_time_is_in_seconds_without_a_unit(text: str, seconds: float) -> None:
    assert read_quantity(text, SECONDS) == seconds


@pytest.mark.parametrize(("text", "size"), [("512", 512 << 20), ("64K", 64 << 10), ("512M", 512 << 20), ("1.5G", 3 << 29)])
def test_a_size_is_in_mebibytes_without_a_unit(text: str, size: int) -> None:
    assert read_quantity(text, BYTES) == size


@pytest.mark.parametrize("text", [" ", "s", "-1", "1e3", "1w", "1 s", "½", "1.", "nan", "٣", "1" * 10])
def test_other_texts_are_no_times(text: str) -> None:
    with pytest.raises(ValueError, match=text):
        read_quantity(text, SECONDS)


def test_a_number_of_bytes_without_a_unit_is_no_size() -> None:
    with pytest.raises(ValueError, match="268435456"):
        read_quantity("268435456", BYTES)


@pytest.mark.parametrize("text", ["5s", "0.5s", "2m", "90s", "2h"])
def test_a_time_is_written_in_its_largest_unit(text: str) -> None:
    assert write_quantity(read_quantity(text, SECONDS), SECONDS) == text


@pytest.mark.parametrize("text", ["64K", "100M", "1G"])
def test_a_size_is_written_in_its_largest_unit(text: str) -> None:
    assert write_quantity(read_quantity(text, BYTES), BYTES) == text


@pytest.mark.parametrize("text", ["64M", "1s", "x"])
def test_a_number_of_things_has_no_unit(text: str) -> None:
    assert read_quantity("64", COUNT) == 64
    with pytest.raises(ValueError, match=text):
        read_quantity(text, COUNT)
