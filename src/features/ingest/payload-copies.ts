import type { SpanRecord } from './span.ts';

type Texts = Pick<SpanRecord, 'input' | 'output' | 'attributes'>;

/** Shorter payloads are repeated: a mark would save next to nothing. */
const shortest = 256;

/** What an input begins with that was put together of system instructions and messages (`withInstructions`). */
const instructed = '[{"role":"system","parts":';
/** What instructions begin with that came as a text. */
const asText = '[{"type":"text","content":';

/** What may stand in the attributes as well: a payload, or what one was put together of. */
interface Parts {
  input: string;
  output: string;
  messages?: string;
  instructions?: string;
  instructionText?: string;
}

/**
 * What stands for a part in the text of the attributes: a control character, which the text of JSON never holds as it is (RFC 8259, section 7).
 * The part stands there as it is stored, or, where it came as a text that holds JSON, as a JSON string.
 */
const marks: ReadonlyArray<{ mark: string; part: keyof Parts; as: (part: string) => string }> = [
  { mark: '\u0001', part: 'input', as: (part) => part },
  { mark: '\u0002', part: 'input', as: (part) => JSON.stringify(part) },
  { mark: '\u0003', part: 'output', as: (part) => part },
  { mark: '\u0004', part: 'output', as: (part) => JSON.stringify(part) },
  { mark: '\u0005', part: 'messages', as: (part) => part },
  { mark: '\u0006', part: 'messages', as: (part) => JSON.stringify(part) },
  { mark: '\u000e', part: 'instructions', as: (part) => part },
  { mark: '\u000f', part: 'instructions', as: (part) => JSON.stringify(part) },
  { mark: '\u0010', part: 'instructionText', as: (part) => part },
];
// oxlint-disable-next-line no-control-regex -- that JSON does not hold them is what makes them marks
const anyMark = /[\u0001-\u0006\u000e-\u0010]/;
const everyMark = new RegExp(anyMark, 'g');

/**
 * The text of a span's attributes without what its input and output say already: nearly every convention sends messages as an attribute, and they are
 * most of a span. Columns are compressed each for themselves, so the second copy would be kept whole.
 *
 * @returns what {@link restoreCopies} makes the attributes of, exactly
 */
export function markCopies(texts: Texts): string {
  if (anyMark.test(texts.attributes)) return texts.attributes;
  let { attributes } = texts;
  const parts = partsOf(texts);
  for (const { mark, part, as } of marks) {
    const text = parts[part] ?? '';
    // What is not well-formed is not stored as it is, and could not be put back.
    if (text.length < shortest || text.length > attributes.length || !text.isWellFormed()) continue;
    attributes = withCopiesReplaced(attributes, as(text), mark);
  }
  return attributes;
}

/** The text of a span's attributes as they came, from what is stored of it. */
export function restoreCopies(stored: Texts): string {
  if (!anyMark.test(stored.attributes)) return stored.attributes;
  const parts = partsOf(stored);
  return stored.attributes.replaceAll(everyMark, (found) => {
    const marked = marks.find(({ mark }) => mark === found);
    const text = marked && parts[marked.part];
    return marked && text !== undefined ? marked.as(text) : found;
  });
}

/** So much of a copy is looked for, and what begins like it is compared whole; so often in vain. */
const anchorLength = 32;
const mostVainLooks = 32;

/**
 * `replaceAll`, which takes as long as both lengths multiplied where a hostile text repeats itself. Copies that stand behind too many
 * beginnings of one are left where they are.
 */
function withCopiesReplaced(text: string, copy: string, mark: string): string {
  const anchor = copy.slice(0, anchorLength);
  let replaced = '';
  let from = 0;
  let inVain = 0;
  for (let at = text.indexOf(anchor); at !== -1 && inVain < mostVainLooks;) {
    if (text.startsWith(copy, at)) {
      replaced += text.slice(from, at) + mark;
      from = at + copy.length;
      at = text.indexOf(anchor, from);
    } else {
      inVain++;
      at = text.indexOf(anchor, at + 1);
    }
  }
  return replaced + text.slice(from);
}

function partsOf({ input, output }: Omit<Texts, 'attributes'>): Parts {
  if (!input.startsWith(instructed)) return { input, output };
  const end = endOfArray(input, instructed.length);
  const instructions = input.slice(instructed.length, end);
  return {
    input,
    output,
    messages: `[${input.slice(end + '},'.length)}`,
    instructions,
    ...(instructions.startsWith(asText) ? { instructionText: instructions.slice(asText.length, -'}]'.length) } : {}),
  };
}

/** Where a JSON array ends that begins at `start`; the end of the text when it is none. */
function endOfArray(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '[') depth++;
    else if (character === ']' && --depth === 0) return at + 1;
  }
  return text.length;
}
