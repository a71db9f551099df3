"""Requests whose failure the caller is told."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import quote, urlencode

from ._errors import SpanwiseError
from ._http import FOREIGN, Answer, Http

_ATTEMPTS = 4


class Service:
    """The service for evaluations. Errors: :class:`SpanwiseError`."""

    def __init__(self, http: Http, problem: str | None) -> None:
        self._http = http
        self._problem = problem
        self._project: str | None = None

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """The body of an answer. What is busy for a moment is asked again."""
        if self._problem is not None:
            raise SpanwiseError(self._problem)
        answer = self._answer(method, path, body)
        found = answer.json()
        if not 200 <= answer.status < 300:
            code = found.get("code") if isinstance(found, dict) else None
            raise SpanwiseError(answer.sentence(), status=answer.status, code=code)
        if not isinstance(found, dict):
            raise SpanwiseError(FOREIGN, status=answer.status)
        return found

    def _answer(self, method: str, path: str, body: object) -> Answer:
        attempt = 0
        while True:
            attempt += 1
            try:
                answer = self._http.send_json(method, path, body)
                if answer.status not in (429, 503) or attempt == _ATTEMPTS:
                    return answer
            except Exception as error:
                # A POST may have been done.
                if attempt == _ATTEMPTS or method != "GET":
                    raise SpanwiseError(f"Spanwise cannot be reached at {self._http.base_url}: {error!r}") from error
            time.sleep(0.25 * 2**attempt)

    def project(self) -> str:
        """The project of the key."""
        if self._project is None:
            self._project = str(self.ask("GET", "/v1/sdk/whoami").get("projectId"))
        return self._project

    def dataset(self, dataset: str) -> Any:
        """A dataset by name or id."""
        found = self.ask("GET", "/v1/datasets?" + urlencode({"name": dataset}))["datasets"]
        if found:
            return found[0]
        try:
            return self.ask("GET", f"/v1/datasets/{quote(dataset, safe='')}")
        except SpanwiseError as error:
            if error.status not in (400, 404):
                raise
            message = f"There is no dataset {dataset!r}; give the name or the id of one of the project."
            raise SpanwiseError(message, status=404, code="not_found") from None

    def items(self, dataset_id: str) -> list[Any]:
        """All items of a dataset, in its order."""
        items: list[Any] = []
        after = ""
        while True:
            page = self.ask("GET", f"/v1/datasets/{dataset_id}/items{after}")["items"]
            if not page:
                return items
            items += page
            after = f"?after={page[-1]['id']}"

    def create_run(self, dataset_id: str, name: str, metadata: dict[str, Any]) -> str:
        """A new dataset run; its id."""
        return str(self.ask("POST", f"/v1/datasets/{dataset_id}/runs", {"name": name, "metadata": metadata})["id"])

    def add_run_items(self, dataset_id: str, run_id: str, items: list[dict[str, Any]]) -> None:
        """The results of items."""
        for at in range(0, len(items), 50):
            self.ask("POST", f"/v1/datasets/{dataset_id}/runs/{run_id}/items", {"items": items[at : at + 50]})
