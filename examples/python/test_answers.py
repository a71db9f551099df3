"""An evaluation in pytest. In CI, on the main branch: pytest --spanwise-label main; on others: pytest --spanwise-gate main

pip install spanwise openai pytest
"""

import os
from typing import Any

import pytest
from openai import OpenAI

from spanwise import Spanwise

sw = Spanwise()
client = sw.wrap_openai(OpenAI())


@pytest.mark.spanwise(dataset=os.environ.get("DATASET", "Questions"))
def test_answer(item: Any) -> None:
    """Runs once an item of the dataset."""
    asked = client.chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": item.input}])
    assert item.expected_output in (asked.choices[0].message.content or "")
