"""A bot that asks a language model for orders, and lets it negotiate in free text.

Any server with the chat completions of OpenAI's API will do:

    OPENAI_BASE_URL   such as http://localhost:11434/v1
    OPENAI_API_KEY    sent as a bearer token
    OPENAI_MODEL      the name of the model
    TURN_SECONDS      how long it may think in a turn: 20, or half of the limit

Free text needs `serve --level 8000`. Units without a legal order in time hold.
"""

import json
import os
import sys
import threading
import time
import urllib.request

BASE = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1").rstrip("/")
KEY = os.environ.get("OPENAI_API_KEY", "")
MODEL = os.environ.get("OPENAI_MODEL", "gpt-4o-mini")
TURN_SECONDS = float(os.environ.get("TURN_SECONDS", "20"))
RULES = """You play Diplomacy as {power}. You get JSON: the phase, the state, your
possible orders, how many are due, the last messages. Answer with JSON only:
{{"messages": {{"ENGLAND": "..."}}, "orders": ["A PAR - BUR"]}}
Choose one possible order for each unit (or site), exactly as it is written."""


class Player:
    """One game: its messages, and the time that is left in the turn."""

    def __init__(self, start):
        self.power, self.free = start["power"], start["level"] >= 8000  # noqa: PLR2004
        self.others = set(start["powers"]) - {self.power}
        self.heard, self.turn, self.ends, self.replies = [], None, 0.0, 0

    def begin(self, turn):
        """Order for a turn, and negotiate."""
        limit = TURN_SECONDS
        if turn["seconds"] is not None:
            limit = min(limit, turn["seconds"] / 2)
        self.turn, self.ends = turn, time.monotonic() + limit
        self.replies = 3 if turn["phase"].endswith("M") else 0
        if turn["due"]:
            self.act()

    def hear(self, line):
        """Take press, and reply while there is time."""
        if line["text"] is not None:
            self.heard.append({"from": line["from"], "text": line["text"]})
            if self.turn and self.replies > 0 and time.monotonic() < self.ends:
                self.replies -= 1
                self.act()

    def act(self):
        """Ask the model, send its messages, then its orders."""
        turn, (messages, wanted) = self.turn, self.ask()
        for to, text in messages.items():
            if self.free and to in self.others:
                say(type="press", phase=turn["phase"], to=[to], text=text[:500])
        orders = [self.choice(each, wanted) for each in turn["possible"].values()]
        say(type="orders", phase=turn["phase"], orders=orders[: turn["due"]])

    @staticmethod
    def choice(possible, wanted):
        """Return the order that the model wants; else hold, disband or waive."""
        quiet = [each for each in possible if each.split()[-1] in {"H", "D", "WAIVE"}]
        return next(filter(wanted.__contains__, possible), (quiet or possible)[0])

    def ask(self):
        """Return messages and orders; none if the model takes too long."""
        facts = {key: self.turn[key] for key in ("phase", "state", "due", "possible")}
        facts["messages"] = self.heard[-20:]
        answers = []
        asking = threading.Thread(
            target=lambda: answers.append(complete(self.power, facts)), daemon=True
        )
        asking.start()
        asking.join(max(self.ends - time.monotonic(), 0.1))
        if not answers:
            print(self.turn["phase"], "the model takes too long", file=sys.stderr)
        return answers[0] if answers else ({}, [])


def complete(power, facts):
    """Return the messages and orders of the model; none if it gives no JSON."""
    roles = {"system": RULES.format(power=power), "user": json.dumps(facts)}
    asked = [{"role": role, "content": text} for role, text in roles.items()]
    body = json.dumps({"model": MODEL, "messages": asked}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}
    request = urllib.request.Request(f"{BASE}/chat/completions", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=TURN_SECONDS) as response:
            text = json.load(response)["choices"][0]["message"]["content"]
        # Models like to wrap JSON in words.
        found = json.loads(text[text.index("{") : text.rindex("}") + 1])
        messages = {to: str(text) for to, text in found.get("messages", {}).items()}
        return messages, list(map(str, found.get("orders", [])))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        print(facts["phase"], f"no answer of the model: {error}", file=sys.stderr)
        return {}, []


def say(**line):
    """Say a line, at once."""
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    for text in sys.stdin:
        line = json.loads(text)
        if line["type"] == "hello":
            say(type="ready", name=f"LLM {MODEL}"[:40], wants=["possible"])
        elif line["type"] == "start":
            player = Player(line)
        elif line["type"] == "turn":
            player.begin(line)
        elif line["type"] == "press":
            player.hear(line)
