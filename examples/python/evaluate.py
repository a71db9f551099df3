"""A task over the items of a dataset, with evaluators.

pip install spanwise openai; python evaluate.py "Questions"
"""

import sys

from openai import OpenAI

from spanwise import Spanwise

sw = Spanwise()
client = sw.wrap_openai(OpenAI())


def answer(question: str) -> str:
    """The application."""
    prompt = sw.prompt("answer", fallback="Answer briefly: {{question}}")
    asked = client.chat.completions.create(
        model="gpt-4o-mini", messages=[{"role": "user", "content": prompt.compile(question=question)}]
    )
    return asked.choices[0].message.content or ""


def contains_answer(output: str, expected_output: str) -> bool:
    """Whether the expected words are there."""
    return expected_output.lower() in output.lower()


def brevity(output: str) -> float:
    """1 for an empty answer, 0 from 400 characters."""
    return max(0.0, 1 - len(output) / 400)


print(sw.evaluate(sys.argv[1], answer, [contains_answer, brevity], label="main"))
