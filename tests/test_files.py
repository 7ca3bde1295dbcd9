"""Files are written whole, even by several threads at once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ludoteca.training.checkpoint import write_whole


def test_threads_that_write_one_file_leave_a_whole_one_and_no_draft(tmp_path: Path) -> None:
    file, contents = tmp_path / "state", [bytes([number]) * 100_000 for number in range(60)]
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda content: write_whole(file, content), contents))
    assert file.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [file]
