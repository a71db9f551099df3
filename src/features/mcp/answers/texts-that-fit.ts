import { z } from 'zod';
import { decodeCursor, encodeCursor, invalidCursor } from '../../../platform/keyset/index.ts';
import type { Answer } from '../tool.ts';
import { cutText } from '../../../platform/text/index.ts';
import { cut, cutFields } from './cut.ts';
import { fits } from './tool-result.ts';

/** A text that may be long, such as the input of a span. */
export interface LongText {
  name: string;
  /** `''`: there is none, which is null in the answer. */
  text: string;
  /** Whether the text is JSON, which is an object in the answer where it is shown whole. */
  json: boolean;
}

/** Characters of each text and of each other field on the first page: the largest of these with which it fits; the smallest always fit. */
const shares: ReadonlyArray<readonly [text: number, field: number]> = [
  [12_000, 1_000],
  [8_000, 1_000],
  [5_000, 1_000],
  [3_000, 1_000],
  [1_500, 1_000],
  [800, 400],
  [400, 200],
  [100, 40],
];
/** Characters of a continued text on a page: the smallest always fits. */
const pieces = [14_000, 10_000, 7_000, 4_000, 2_000] as const;

const position = z.tuple([z.string(), z.int().min(0), z.int().min(0)]);

/**
 * An answer with long texts. The first page has the fields and the beginning of every text; the pages after it continue those that were cut,
 * one after the other, as `{continued: {name, from, text, characters}}`.
 */
export function textsThatFit(head: Answer, texts: readonly LongText[], cursor: string | undefined): Answer {
  return cursor === undefined ? firstPage(head, texts) : continued(texts, cursor);
}

function firstPage(head: Answer, texts: readonly LongText[]): Answer {
  const pages = shares.map(([share, field]) => () => ({
    ...cutFields(head, field),
    ...Object.fromEntries(texts.map((text) => [text.name, shown(text, share)])),
    nextCursor: nextCut(texts, share),
  }));
  return firstThatFits(pages);
}

function continued(texts: readonly LongText[], cursor: string): Answer {
  const [name, from, share] = decodeCursor(cursor, position);
  const index = texts.findIndex((text) => text.name === name);
  const whole = texts[index]?.text ?? '';
  if (from >= whole.length) throw invalidCursor();
  const rest = texts.slice(index + 1);
  const pages = pieces.map((piece) => () => {
    const text = cutText(whole.slice(from), piece);
    const end = from + text.length;
    const nextCursor = end < whole.length ? encodeCursor([name, end, share]) : nextCut(rest, share);
    return { continued: { name, from, text, characters: whole.length }, nextCursor };
  });
  return firstThatFits(pages);
}

/** The first page that fits, else the last. */
function firstThatFits(pages: ReadonlyArray<() => Answer>): Answer {
  let page: Answer = {};
  for (const make of pages) {
    page = make();
    if (fits(page)) break;
  }
  return page;
}

/** The cursor of the first text that is cut to `share` characters. */
function nextCut(texts: readonly LongText[], share: number): string | null {
  const next = texts.find(({ text }) => text.length > share);
  return next ? encodeCursor([next.name, cutText(next.text, share).length, share]) : null;
}

function shown({ text, json }: LongText, share: number): unknown {
  if (text === '') return null;
  if (text.length > share) return cut(text, share);
  return json ? (JSON.parse(text) as unknown) : text;
}
