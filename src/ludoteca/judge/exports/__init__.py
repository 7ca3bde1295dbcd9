"""Writes the cases of a part as files: as packages for other judges, or as a checker, which students run at home."""
