"""A model's server on 127.0.0.1: OpenAI's chat completions, responses and embeddings, and Anthropic's messages."""

from __future__ import annotations


class FakeModel:
    """Listens on 127.0.0.1."""

    def close(self) -> None:
        pass
