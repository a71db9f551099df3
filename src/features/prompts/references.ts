import { cutText } from '../../platform/text/index.ts';
/** A reference to another prompt: `{{> name }}`, `{{> name@label }}` or `{{> name#3 }}` (docs/semantics.md, "References"). */
export interface Reference {
  name: string;
  version: number | null;
  /** Without version and label: production, or else latest. */
  label: string | null;
}

const opening = '{{>';
const closing = '}}';

/**
 * Splits a text into references and the text between them, in order. An empty reference names `''`, which is no valid prompt name. One behind
 * a backslash is text. Takes linear time.
 *
 * @param max maximum references; later ones are returned as text
 */
export function partsOf(text: string, max = Infinity): Array<string | Reference> {
  const parts: Array<string | Reference> = [];
  let from = 0;
  for (let count = 0; count < max; count++) {
    const start = openingAt(text, from);
    const end = start < 0 ? -1 : text.indexOf(closing, start + opening.length);
    if (end < 0) break;
    if (start > from) parts.push(text.slice(from, start));
    parts.push(referenceOf(text.slice(start + opening.length, end)));
    from = end + closing.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** Where the next reference begins; -1 where none does. `\{{>` is literal. */
function openingAt(text: string, from: number): number {
  let start = text.indexOf(opening, from);
  while (start > 0 && text[start - 1] === '\\') start = text.indexOf(opening, start + 1);
  return start;
}

/** The name ends at the last `#` before digits, or else at the last `@`. A name that contains either needs an explicit label or version. */
function referenceOf(inside: string): Reference {
  const target = inside.trim();
  const hash = target.lastIndexOf('#');
  const digits = target.slice(hash + 1);
  if (hash > 0 && /^\d{1,9}$/.test(digits))
    return { name: target.slice(0, hash).trimEnd(), version: Number(digits), label: null };
  const at = target.lastIndexOf('@');
  const label = target.slice(at + 1).trimStart();
  if (at > 0 && label !== '') return { name: target.slice(0, at).trimEnd(), version: null, label };
  return { name: target, version: null, label: null };
}

/** A key that is unique for each selection of a version. */
export function referenceKey({ name, version, label }: Reference): string {
  return JSON.stringify([name, version, label]);
}

const longestShown = 100;

/** A reference as shown in messages. */
export function shownReference({ name, version, label }: Reference): string {
  const shown = (text: string) => cutText(text, longestShown, '...');
  return `{{> ${shown(name)}${version === null ? '' : `#${version}`}${label === null ? '' : `@${shown(label)}`} }}`;
}
