"""How many files this process may have open: POSIX only, elsewhere a guess."""

from typing import Final

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

ELSEWHERE: Final = 512


def max_open_files() -> int:
    """Return the limit of open files of this process."""
    if resource is None:
        return ELSEWHERE
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return ELSEWHERE if soft == resource.RLIM_INFINITY else soft
