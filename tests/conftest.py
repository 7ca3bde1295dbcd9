"""Settings of all tests."""

from hypothesis import settings

settings.register_profile("ludoteca", deadline=None)  # machines are shared: a slow moment is no mistake
settings.load_profile("ludoteca")
