from .reading import read as read

__version__: str
