import { useCallback, useEffect, useState } from 'react';
import type { RefObject } from 'react';
import { codeHosts } from '../../content/code-hosts.ts';
import type { CodeHost } from '../../content/code-hosts.ts';

/** Matches that are marked; more would slow down the page. */
const maxMatches = 1_000;
const names = ['found', 'found-current'] as const;

export interface Find {
  /** Matches in what is shown. */
  count: number;
  /** The current match, from 1; 0 for none. */
  current: number;
  /** Goes to the next match, or with -1 to the one before. */
  go(step: 1 | -1): void;
}

/** A place of the searched text: in the page, or in a viewer of code, which has only a part of its text in the page. */
type Match = Range | { viewer: CodeHost; from: number; to: number };

/**
 * Marks a text wherever it is shown in an element, also in what is shown later, and goes from match to match. Without support for custom highlights nothing is
 * marked, and the matches are still found.
 *
 * @param query in lower case; `''`: none
 */
export function useFind(container: RefObject<HTMLElement | null>, query: string): Find {
  const [matches, setMatches] = useState<readonly Match[]>([]);
  // The place belongs to a search: another one starts anew.
  const [place, setPlace] = useState({ query, at: 0 });
  const at = place.query === query ? place.at : 0;
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setMatches(query === '' ? [] : matchesIn(element, query)));
    };
    look();
    const observer = new MutationObserver(look);
    if (query !== '') observer.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, [container, query]);
  useEffect(() => {
    const registry = globalThis.CSS?.highlights as HighlightRegistry | undefined;
    if (registry === undefined) return undefined;
    const current = matches[at - 1];
    registry.set(names[0], new Highlight(...matches.filter((match) => match instanceof Range)));
    registry.set(names[1], new Highlight(...(current instanceof Range ? [current] : [])));
    return () => names.forEach((name) => registry.delete(name));
  }, [matches, at]);
  const go = useCallback(
    (step: 1 | -1) => {
      const next = at === 0 ? (step === 1 ? 1 : matches.length) : ((at - 1 + step + matches.length) % matches.length) + 1;
      const match = matches[next - 1];
      if (match === undefined) return;
      setPlace({ query, at: next });
      if (match instanceof Range) scrollTo(match, container.current);
      else match.viewer.select(match.from, match.to);
    },
    [matches, at, query, container],
  );
  return { count: matches.length, current: Math.min(at, matches.length), go };
}

/** Scrolls to a match, which may be far down in a long text that is one element. */
function scrollTo(match: Range, container: HTMLElement | null): void {
  match.startContainer.parentElement?.scrollIntoView({ block: 'center' });
  const box = container?.getBoundingClientRect();
  const { top } = match.getBoundingClientRect();
  if (box && (top < box.top || top > box.bottom)) container?.scrollBy({ top: top - box.top - box.height / 2 });
}

/** Matches within each text node and each viewer of code, in the order of the page. */
function matchesIn(element: HTMLElement, query: string): Match[] {
  const found: Match[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node && found.length < maxMatches; node = walker.nextNode()) {
    const viewer = codeHosts.get(node);
    for (const [from, to] of placesOf(viewer?.text ?? node.nodeValue ?? '', query, maxMatches - found.length)) {
      if (viewer) {
        found.push({ viewer, from, to });
        continue;
      }
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, to);
      found.push(range);
    }
  }
  return found;
}

/** The first places of a text in another one. */
function placesOf(text: string, query: string, most: number): Array<readonly [from: number, to: number]> {
  const found: Array<readonly [number, number]> = [];
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(query); at >= 0 && found.length < most; at = lower.indexOf(query, at + query.length)) {
    // Some letters are longer in lower case.
    if (at + query.length > text.length) break;
    found.push([at, at + query.length]);
  }
  return found;
}
