"""The Move Assistant's map and game: statements, JSON, and boards of ours.

The assistant's document is the authority; its program never ran.
"""

from .boards import board as board
from .describing import describe as describe
from .regions import Description as Description
