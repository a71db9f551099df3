import type { SpanRecord } from '../../records/index.ts';

type Texts = Pick<SpanRecord, 'input' | 'output' | 'attributes'>;

/** Shorter payloads are not marked: a mark would save little. */
const shortest = 256;

/** The beginning of an input that was composed of system instructions and messages (`withInstructions`). */
const instructed = '[{"role":"system","parts":';
/** The beginning of instructions that were sent as a text. */
const asText = '[{"type":"text","content":';

/** The texts that may be repeated in the attributes: payloads, and the components of an input. */
interface Parts {
  input: string;
  output: string;
  messages?: string;
  instructions?: string;
  instructionText?: string;
}

/**
 * The mark that replaces a part in the text of the attributes: a control character, which JSON text never contains unescaped (RFC 8259,
 * section 7). A mark stands for the part as it is stored, or, where the attribute is a text that contains JSON, for the part as a JSON string.
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
// oxlint-disable-next-line no-control-regex -- marks are control characters, since JSON text contains none
const anyMark = /[\u0001-\u0006\u000e-\u0010]/;
const everyMark = new RegExp(anyMark, 'g');

/**
 * Replaces copies of the input and output in the text of a span's attributes by marks: nearly every convention sends messages as an attribute,
 * and they are most of a span. Each column is compressed on its own, so compression does not remove the copy.
 *
 * @returns a text from which {@link restoreCopies} restores the attributes exactly
 */
export function markCopies(texts: Texts): string {
  if (anyMark.test(texts.attributes)) return texts.attributes;
  let { attributes } = texts;
  const parts = partsOf(texts);
  for (const { mark, part, as } of marks) {
    const text = parts[part] ?? '';
    // A text that is not well-formed is changed when it is stored, so it could not be restored.
    if (text.length < shortest || text.length > attributes.length || !text.isWellFormed()) continue;
    attributes = withCopiesReplaced(attributes, as(text), mark);
  }
  return attributes;
}

/** Restores the text of a span's attributes as it was sent. */
export function restoreCopies(stored: Texts): string {
  if (!anyMark.test(stored.attributes)) return stored.attributes;
  const parts = partsOf(stored);
  return stored.attributes.replaceAll(everyMark, (found) => {
    const marked = marks.find(({ mark }) => mark === found);
    const text = marked && parts[marked.part];
    return marked && text !== undefined ? marked.as(text) : found;
  });
}

/**
 * SQL of stored attributes as JSON text without their copies: each is an empty object, of which a filter knows that it is there. Reads neither input nor output.
 */
export const attributesSql = `replaceRegexpAll(attributes, '[\\x01-\\x06\\x0E-\\x10]', '{}')`;

/** A text of fewer characters is none that was replaced by a mark: each character takes at most six in JSON. */
export const shortestCopy = Math.floor(shortest / 6);

/** SQL of stored attributes with the copies of the whole input and output. Those of the components of an input are empty objects. */
export const restoredAttributesSql = marks
  .filter(({ part }) => part === 'input' || part === 'output')
  .reduce(
    (text, { mark, part, as }) =>
      `replaceAll(${text}, char(${mark.charCodeAt(0)}), ${as('') === '' ? part : `toJSONString(${part})`})`,
    `replaceRegexpAll(attributes, '[\\x05\\x06\\x0E-\\x10]', '{}')`,
  );

/** Characters of a copy that are searched for; where they match, the whole copy is compared, with a maximum number of failed comparisons. */
const anchorLength = 32;
const maxFailedComparisons = 32;

/**
 * `replaceAll` in bounded time: on a hostile, repetitive text `replaceAll` takes time proportional to the product of both lengths. The search
 * ends after {@link maxFailedComparisons} failed comparisons; later copies stay.
 */
function withCopiesReplaced(text: string, copy: string, mark: string): string {
  const anchor = copy.slice(0, anchorLength);
  let replaced = '';
  let from = 0;
  let failedComparisons = 0;
  for (let at = text.indexOf(anchor); at !== -1 && failedComparisons < maxFailedComparisons;) {
    if (text.startsWith(copy, at)) {
      replaced += text.slice(from, at) + mark;
      from = at + copy.length;
      at = text.indexOf(anchor, from);
    } else {
      failedComparisons++;
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

/** The end of the JSON array that begins at `start`; the end of the text when there is none. */
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
