"""A server that stands in for a language model, and counts its requests."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


class Model(BaseHTTPRequestHandler):
    """It answers politely, and not always well."""

    asked: int = 0

    def do_POST(self) -> None:
        """Answer one request for a completion."""
        Model.asked += 1
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.headers["Authorization"] == "Bearer secret"
        assert self.path == "/v1/chat/completions"
        facts = json.loads(body["messages"][-1]["content"])
        text = "I would rather not." if Model.asked % 5 == 0 else polite(facts)
        answer = {
            "model": "stub",
            "choices": [{"message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 50},
        }
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


def polite(facts: dict[str, Any]) -> str:
    """Return what a model might say."""
    orders = [choices[-1] for choices in facts["possible"].values()]
    heard = [message["text"] for message in facts["messages"]]
    text = "Agreed." if heard else f"Peace in {facts['phase']}?"
    messages = dict.fromkeys((*POWERS, "MARS"), text)
    return f"Here you are: {json.dumps({'messages': messages, 'orders': orders})} Bye!"


@contextmanager
def running_model() -> Iterator[dict[str, str]]:
    """Run the stand-in; give the variables by which bots find it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    Model.asked = 0
    try:
        yield {
            "OPENAI_BASE_URL": f"http://127.0.0.1:{server.server_port}/v1",
            "OPENAI_API_KEY": "secret",
        }
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
