const maxLength = 65_536;

/** A token of a Python literal: a string in either quotes, a word, a number, or a mark. */
const token =
  /\s*(?:'((?:[^'\\]|\\[^])*)'|"((?:[^"\\]|\\[^])*)"|(True|False|None)\b|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|([[\]{}(),:]))/y;
const words: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };
const marks: Readonly<Record<string, string>> = { '(': '[', ')': ']' };
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' };

/**
 * Parses the text of a Python dictionary or list as `str()` writes it, which some clients send for JSON: `{'cache_read': 513, 'audio': None}`. A tuple is an
 * array. undefined for anything else, and for texts of more than 64 KiB.
 */
export function parsePythonLiteral(text: string): unknown {
  if (text.length > maxLength || !/^\s*[{[(]/.test(text)) return undefined;
  token.lastIndex = 0;
  const end = text.trimEnd().length;
  const json: string[] = [];
  while (token.lastIndex < end) {
    const match = token.exec(text);
    if (match === null) return undefined;
    const [, single, double, word, number, mark] = match;
    const string = single ?? double;
    let written = word === undefined ? (number ?? marks[mark ?? ''] ?? mark ?? '') : (words[word] ?? '');
    if (string !== undefined) written = JSON.stringify(string.replaceAll(/\\([^])/g, (_, one: string) => escapes[one] ?? one));
    // Python allows a comma after the last item.
    if ((written === ']' || written === '}') && json.at(-1) === ',') json.pop();
    json.push(written);
  }
  try {
    return JSON.parse(json.join('')) as unknown;
  } catch {
    return undefined;
  }
}
