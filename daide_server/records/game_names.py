"""Names of games that people can say, such as `brave-otter-12`.

A name follows from the id of the game alone, so it is stored nowhere. Two games may
share one; addresses have the id.
"""

import re
from hashlib import sha256
from typing import Final

_ADJECTIVES: Final = (
    "able amber ample azure bold brave breezy bright brisk calm candid clever "
    "copper coral cosy crisp daring deft eager early fair fancy fleet fond frank "
    "fresh gentle glad golden grand green happy hardy honest humble ivory jolly "
    "keen kind lively loyal lucky mellow merry mighty mild misty modest neat "
    "nimble noble patient placid plucky polite proud quick quiet rapid ready "
    "regal rosy rustic sage scarlet silent silver sleek smart snowy sober solid "
    "spry steady stout sunny swift tidy tranquil trusty upbeat valiant velvet "
    "vivid warm wary wise witty young zesty"
)
_ANIMALS: Final = (
    "adder albatross alpaca badger bat bear beaver bee bison boar buzzard camel "
    "carp cat cobra condor cormorant crab crane cricket crow curlew deer dolphin "
    "dove eagle eel egret elk falcon ferret finch fox frog gannet gazelle goat "
    "goose grouse gull hare hawk hedgehog heron herring hornet horse hound ibex "
    "ibis jackal jackdaw jay kestrel kite koala lark lemur leopard linnet lion "
    "lizard llama lobster lynx magpie mallard marmot marten mole moose moth "
    "mouse newt osprey otter owl panda panther parrot pelican penguin perch pike "
    "plover pony puffin puma quail rabbit raven robin rook salmon seal shrew "
    "shrike snail snipe sparrow spider stag starling stoat stork swallow swan "
    "swift tern thrush tiger toad trout turtle viper vole walrus wasp weasel "
    "whale wolf wombat wren yak zebra"
)
_COUNT: Final = re.compile(r"(?<![0-9A-Za-z])(\d{1,6})\Z", re.ASCII)
"""The number of a game that its server or its tournament counted."""


NUMBERS: Final = 100
"""How many numbers a name may end with if the id has none."""


def game_name(game: str) -> str:
    """Return the name of the game with that id.

    It ends with the number with which the id ends, if there is one.
    """
    adjectives, animals = _ADJECTIVES.split(), _ANIMALS.split()
    digest = sha256(game.encode(errors="surrogatepass")).digest()
    first, second, third = (
        int.from_bytes(digest[at : at + 4], "big") for at in (0, 4, 8)
    )
    counted = _COUNT.search(game)
    number = int(counted[1]) if counted else third % NUMBERS
    adjective = adjectives[first % len(adjectives)]
    return f"{adjective}-{animals[second % len(animals)]}-{number}"
