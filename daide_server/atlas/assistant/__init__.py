"""The Move Assistant's description of a map and a game, to and from a variant.

The assistant describes a map as regions and borders, in two formats: `statements`
(text, a game too) and `json_map` (the map only). Both are read to a `RegionMap`.
`from_regions` makes a variant of it, `to_regions` the reverse. Regions have no
adjectives, home centres or dates, so a variant loses these on the way.

The assistant's document is the authority; its program never ran.
"""

from .from_regions import Description as Description
from .from_regions import variant_of as variant_of
from .to_regions import describe as describe
