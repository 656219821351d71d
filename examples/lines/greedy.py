"""A bot that moves to foreign centres; it needs only the standard library."""

import json
import random
import sys


class Greedy:
    """One game: our power, the centres of the board, and the random numbers."""

    def __init__(self, start, board):
        self.power = start["power"]
        self.chance = random.Random(start["seed"])
        self.centres = {
            name for name, place in board["provinces"].items() if place["centre"]
        }

    def orders(self, turn):
        """Return an order for each unit or site, at most as many as are due."""
        own = set(turn["state"]["centers"][self.power])
        wanted = self.centres - own
        taken = {unit.split()[-1][:3] for unit in turn["possible"]}
        found = []
        for choices in self.shuffled(turn["possible"].values()):
            order = max(choices, key=lambda each: self.value(each, wanted, taken))
            words = order.split()
            if words[2:3] == ["-"]:
                taken.add(words[3][:3])
            found.append(order)
        return found[: turn["due"]]

    def shuffled(self, items):
        """Return the items in random order."""
        return self.chance.sample(list(items), len(items))

    def value(self, order, wanted, taken):
        """Return the value of an order: prefer centres, keep units apart."""
        words = order.split()
        if words == ["WAIVE"] or words[2:3] in (["D"], ["C"]):
            return -1
        if words[2] not in {"-", "R"}:
            return self.chance.random() / 2
        place = words[3][:3]
        if place in taken:
            return -0.5
        return (2 if place in wanted else 0.3) + self.chance.random()


def say(**line):
    """Print a line, and flush it."""
    print(json.dumps(line), flush=True)


def main():
    """Play until the input ends."""
    start = bot = None
    for text in sys.stdin:
        line = json.loads(text)
        match line["type"]:
            case "hello":
                wants = ["possible", "board", "again"]
                say(type="ready", name="Greedy", version="1", wants=wants)
            case "start":
                start = line
            case "board":
                bot = Greedy(start, line)
            case "turn" if line["due"]:
                say(type="orders", phase=line["phase"], orders=bot.orders(line))
            case "noted" if not line["late"]:
                for order, note in line["orders"].items():
                    if not note["ok"]:
                        print(line["phase"], order, note["message"], file=sys.stderr)
            case "over":
                print(line["result"], *line["winners"], file=sys.stderr)


if __name__ == "__main__":
    main()
