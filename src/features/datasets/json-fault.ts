type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'end';

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const escaped = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;

/**
 * The offset of the first syntax error in invalid JSON: of the first unexpected token, or the text's length when it ends early. Needed
 * because most messages of `JSON.parse` do not contain the position.
 */
export function jsonFaultAt(text: string): number {
  const open: Array<'{' | '['> = [];
  let expected: Expected = 'value';
  for (let at = behindSpace(text, 0); ;) {
    const next = afterToken(expected, text.charAt(at), open);
    const end = next === null ? null : behindToken(text, at);
    if (next === null || end === null) return at;
    expected = next;
    at = behindSpace(text, end);
  }
}

/**
 * What may follow after a token; null when the token is not allowed here.
 *
 * @param first the token's first character, '' at the end of the text
 * @param open the enclosing brackets; updated
 */
function afterToken(expected: Expected, first: string, open: Array<'{' | '['>): Expected | null {
  if (first === '') return null;
  if (first === '}' || first === ']') {
    const fits = first === '}' ? expected === 'key or }' : expected === 'value or ]';
    if (!fits && expected !== ', or end') return null;
    return open.pop() === (first === '}' ? '{' : '[') ? afterValue(open) : null;
  }
  if (expected === 'key' || expected === 'key or }') return first === '"' ? ':' : null;
  if (expected === ':') return first === ':' ? 'value' : null;
  if (expected === ', or end') return first === ',' ? (open.at(-1) === '{' ? 'key' : 'value') : null;
  if (expected === 'end' || first === ':' || first === ',') return null;
  if (first !== '{' && first !== '[') return afterValue(open);
  open.push(first);
  return first === '{' ? 'key or }' : 'value or ]';
}

function afterValue(open: readonly string[]): Expected {
  return open.length === 0 ? 'end' : ', or end';
}

/** The offset after the token at `at`; null for an invalid token. */
function behindToken(text: string, at: number): number | null {
  switch (text.charAt(at)) {
    case '"':
      return behindText(text, at + 1);
    case '{':
    case '}':
    case '[':
    case ']':
    case ',':
    case ':':
      return at + 1;
    default:
      scalar.lastIndex = at;
      return scalar.test(text) ? scalar.lastIndex : null;
  }
}

/** The offset after the closing quote of the string whose contents begin at `from`; null when it is not closed or invalid. */
function behindText(text: string, from: number): number | null {
  for (let at = from; at < text.length;) {
    const code = text.charCodeAt(at);
    at += 1;
    if (code === 0x22) return at;
    // Control characters must be escaped in strings (RFC 8259, section 7).
    if (code < 0x20) return null;
    if (code !== 0x5c) continue;
    escaped.lastIndex = at;
    if (!escaped.test(text)) return null;
    at = escaped.lastIndex;
  }
  return null;
}

function behindSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
