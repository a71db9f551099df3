/** What a piece of code is, as far as a reader needs it. */
export type CodeTokenKind = 'keyword' | 'string' | 'number' | 'comment' | 'plain';

export interface CodeToken {
  kind: CodeTokenKind;
  text: string;
}

/** Longer code is shown without colours. */
const maxColoured = 50_000;

const keywords = new Set(
  (
    'abstract and as assert async await break case catch class const continue def default del do elif else enum except export extends false False ' +
    'final finally fn for from func function global if impl implements import in instanceof interface is lambda let match mut new nil None not null of or ' +
    'package pass private protected pub public raise return select self static struct super switch this throw throws trait true True try type typeof ' +
    'undefined use var void where while with yield SELECT FROM WHERE JOIN LEFT INNER ON GROUP BY ORDER LIMIT AND OR NOT NULL AS INSERT INTO VALUES UPDATE ' +
    'SET DELETE CREATE TABLE WITH HAVING UNION DISTINCT'
  ).split(' '),
);

/** Languages in which `#` begins a comment; in others `//` does, in SQL `--`. */
const hashComments = /^(?:py|python|sh|bash|shell|zsh|yaml|yml|toml|ruby|rb|r|perl|dockerfile|makefile|ini|conf)$/i;
const dashComments = /^(?:sql|lua|haskell|hs)$/i;

function pattern(language: string): RegExp {
  const comment = hashComments.test(language)
    ? '#[^\\n]*'
    : dashComments.test(language)
      ? '--[^\\n]*'
      : '\\/\\/[^\\n]*|\\/\\*[^]*?(?:\\*\\/|$)';
  const text = '"(?:[^"\\\\\\n]|\\\\.)*"?|\'(?:[^\'\\\\\\n]|\\\\.)*\'?|`(?:[^`\\\\]|\\\\.)*`?';
  return new RegExp(`(?<comment>${comment})|(?<string>${text})|(?<number>\\b\\d[\\w.]*)|(?<word>[A-Za-z_$][\\w$]*)`, 'g');
}

/**
 * Divides code of any language into keywords, strings, numbers, comments and the rest: enough for colours, no more. The texts joined are the code. Linear time.
 *
 * @param language as after the fence of a Markdown code block; `''` if unknown
 */
export function codeTokens(code: string, language: string): CodeToken[] {
  if (code.length > maxColoured || /^(?:text|plain|txt|md|markdown|log|output)$/i.test(language))
    return [{ kind: 'plain', text: code }];
  const tokens: CodeToken[] = [];
  const add = (kind: CodeTokenKind, text: string) => {
    const last = tokens.at(-1);
    if (text === '') return;
    if (last?.kind === kind && kind === 'plain') last.text += text;
    else tokens.push({ kind, text });
  };
  let at = 0;
  for (const match of code.matchAll(pattern(language))) {
    const { comment, string, number } = match.groups ?? {};
    const [text] = match;
    add('plain', code.slice(at, match.index));
    const kind = comment !== undefined ? 'comment' : string !== undefined ? 'string' : number !== undefined ? 'number' : null;
    add(kind ?? (keywords.has(text) ? 'keyword' : 'plain'), text);
    at = match.index + text.length;
  }
  add('plain', code.slice(at));
  return tokens;
}
