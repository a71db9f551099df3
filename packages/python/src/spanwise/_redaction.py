"""How much of a redacted text is decided, by the matches of a check of the text so far."""

from __future__ import annotations

from dataclasses import dataclass

from ._verdict import Verdict


@dataclass
class _Range:
    start: int
    end: int
    text: str
    guardrail: int


def released(text: str, verdict: Verdict) -> tuple[str, int] | None:
    """The part of the answer's text that nothing can change any more, and where it ends in the text as checked; None where the matches do not say.

    ``text`` is the text as it was checked. A range that begins before ``safe_until`` is replaced whole.
    """
    ranges = _merged(_ranges(verdict, "[REDACTED]"))
    if _replaced(text, ranges, len(text)) != verdict.text:
        # A pattern may have been given the label that those without one have.
        ranges = _merged(_ranges(verdict, "[MATCH]"))
        # Of more than 100 matches the others are not known: then the whole must decide.
        if _replaced(text, ranges, len(text)) != verdict.text:
            return None
    until = verdict.safe_until
    return _replaced(text, ranges, until), max([until, *(one.end for one in ranges if one.start < until)])


def _ranges(verdict: Verdict, of_match: str) -> list[_Range]:
    found = []
    for order, result in enumerate(verdict.results):
        if result.action != "redact" or not result.triggered:
            continue
        found += [
            _Range(match.start, match.end, _placeholder(result.type, match.label, of_match), order) for match in result.matches
        ]
    return found


def _placeholder(kind: str, label: str, of_match: str) -> str:
    if kind == "max_length":
        return ""
    if kind == "blocklist":
        return "[REDACTED]"
    if kind == "regex" and label == "match":
        return of_match
    return "[" + "".join(one if one.isalpha() or one.isdecimal() else "_" for one in label.upper()) + "]"


def _merged(ranges: list[_Range]) -> list[_Range]:
    """Overlapping and touching ranges of different guardrails become one, with the text of the one that starts first (then the longer)."""
    merged: list[_Range] = []
    ending: list[int] = []
    for one in sorted(ranges, key=lambda item: (item.start, -item.end, item.guardrail)):
        last = merged[-1] if merged else None
        touches = last is not None and last.end == one.start and any(other != one.guardrail for other in ending)
        if last is None or (one.start >= last.end and not touches):
            merged.append(one)
            ending = [one.guardrail]
        elif one.end > last.end:
            last.end = one.end
            ending = [one.guardrail]
        elif one.end == last.end:
            ending.append(one.guardrail)
    return merged


def _replaced(text: str, ranges: list[_Range], until: int) -> str:
    parts = []
    at = 0
    for one in ranges:
        if one.start >= until:
            break
        parts += [text[at : one.start], one.text]
        at = one.end
    return "".join((*parts, text[at : max(at, until)]))
