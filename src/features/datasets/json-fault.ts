type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'end';

const token =
  /[ \t\n\r]*(?:(?<mark>[{}[\],:])|(?<text>")|(?<scalar>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

// The standard allows no control characters in a text (RFC 8259, section 7). A part at a time: a repetition of repetitions takes
// for ever to say no to a text that does not end.
// oxlint-disable-next-line no-control-regex
const partOfText = /[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * Where a text stops being JSON: the offset of the first token that cannot stand there, the text's length when it only ends early.
 * For texts that `JSON.parse` refuses; its own messages leave the place out more often than not.
 */
export function jsonFaultAt(text: string): number {
  const open: Array<'{' | '['> = [];
  let expected: Expected = 'value';
  for (let at = 0; ;) {
    token.lastIndex = at;
    const groups = token.exec(text)?.groups;
    const start = behindSpace(text, at);
    if (!groups) return start;
    const next = afterToken(expected, groups, open);
    const end = groups['text'] === undefined ? token.lastIndex : behindText(text, token.lastIndex);
    if (next === null || end === null) return start;
    expected = next;
    at = end;
  }
}

/** What may follow, having taken a token; null when it cannot stand here. `open` are the brackets around. */
function afterToken(
  expected: Expected,
  { mark, text }: Record<string, string | undefined>,
  open: Array<'{' | '['>,
): Expected | null {
  const afterValue = () => (open.length === 0 ? 'end' : ', or end');
  if (mark === '}' || mark === ']') {
    const fits = mark === '}' ? expected === 'key or }' : expected === 'value or ]';
    if (!fits && expected !== ', or end') return null;
    return open.pop() === (mark === '}' ? '{' : '[') ? afterValue() : null;
  }
  if (expected === 'key' || expected === 'key or }') return text === undefined ? null : ':';
  if (expected === ':') return mark === ':' ? 'value' : null;
  if (expected === ', or end') return mark === ',' ? (open.at(-1) === '{' ? 'key' : 'value') : null;
  if (expected === 'end') return null;
  if (mark === undefined) return afterValue();
  if (mark !== '{' && mark !== '[') return null;
  open.push(mark);
  return mark === '{' ? 'key or }' : 'value or ]';
}

/** Behind the closing quote of the text whose contents begin at `from`; null when it does not end. */
function behindText(text: string, from: number): number | null {
  partOfText.lastIndex = from;
  let at = from;
  while (partOfText.test(text)) at = partOfText.lastIndex;
  return text[at] === '"' ? at + 1 : null;
}

function behindSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++;
  return at;
}
