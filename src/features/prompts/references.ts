/** A reference to another prompt, `{{> name }}`, `{{> name@label }}` or `{{> name#3 }}` (contract section 6). */
export interface Reference {
  name: string;
  version: number | null;
  /** With neither: production, or else latest. */
  label: string | null;
}

const opening = '{{>';
const closing = '}}';

/**
 * A text as what stands between references and the references themselves, in their order. One that names nothing is a reference to `''`,
 * which no prompt is called. Takes time in proportion to the text.
 *
 * @param most how many references are read; those behind them are left as text
 */
export function partsOf(text: string, most = Infinity): Array<string | Reference> {
  const parts: Array<string | Reference> = [];
  let from = 0;
  for (let count = 0; count < most; count++) {
    const start = text.indexOf(opening, from);
    const end = start < 0 ? -1 : text.indexOf(closing, start + opening.length);
    if (end < 0) break;
    if (start > from) parts.push(text.slice(from, start));
    parts.push(referenceOf(text.slice(start + opening.length, end)));
    from = end + closing.length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** The last `#` before digits, or else the last `@`, ends the name: a name with either in it needs a label or version behind it. */
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

/** One text for each reference that means another version. */
export function referenceKey({ name, version, label }: Reference): string {
  return JSON.stringify([name, version, label]);
}

const longestShown = 100;

/** A reference as a message shows it. */
export function shownReference({ name, version, label }: Reference): string {
  const shown = (text: string) => (text.length > longestShown ? `${text.slice(0, longestShown)}...` : text).toWellFormed();
  return `{{> ${shown(name)}${version === null ? '' : `#${version}`}${label === null ? '' : `@${shown(label)}`} }}`;
}
