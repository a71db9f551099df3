import { CST } from 'yaml';
import type { TextFault } from './placed.ts';

/** Scalars, keys, indicators and line breaks of a file. Each takes some hundred bytes of memory while the file is read. */
const maxTokens = 100_000;
/** Blank and comment lines without a value between them. The parser's time grows with their square. */
const maxBlankLines = 5_000;
/** Mappings and lists inside each other. The parser is recursive. */
const maxDepth = 256;

/** Counts the tokens of a file; the returned function gives the message of the limit that a lexeme exceeds, or null. */
export function tooLarge(): (lexeme: string) => string | null {
  let tokens = 0;
  let blank = 0;
  let depth = 0;
  return (lexeme) => {
    const type = CST.tokenType(lexeme);
    if (type === 'newline' || type === 'comment' || type === 'space') blank += 1;
    else blank = 0;
    if (type === 'flow-map-start' || type === 'flow-seq-start') depth += 1;
    if (type === 'flow-map-end' || type === 'flow-seq-end') depth = Math.max(0, depth - 1);
    tokens += 1;
    if (tokens > maxTokens) return 'The file has too many values. Divide it into several files.';
    if (blank > 2 * maxBlankLines) return `There are more than ${maxBlankLines} blank and comment lines in a row. Remove some.`;
    return depth > maxDepth ? tooDeep : null;
  };
}

const tooDeep = `Mappings and lists are nested deeper than ${maxDepth} levels.`;

const escapes = /\\([0abefnrtv"/\\N_LP \t\r\n]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})?/gu;

/** The first invalid escape of a text in double quotes; null for any other lexeme. The composer would make an error of each. */
export function badEscape(lexeme: string): TextFault | null {
  if (!lexeme.startsWith('"')) return null;
  for (const { index, 0: escape, 1: valid } of lexeme.matchAll(escapes)) {
    const shown = escape + lexeme.slice(index + 1, index + 2);
    if (valid === undefined)
      return {
        offset: index,
        message: `There is no escape ${shown} in double quotes. Write \\\\ for a backslash, or use single quotes.`,
      };
  }
  return null;
}

type Item = CST.CollectionItem;

/** The faults of tokens that must not be composed: the first collection that is nested too deeply. */
export function faultsOfShape(tokens: readonly CST.Token[]): TextFault[] {
  const open: Array<{ token: CST.Token; depth: number }> = tokens.map((token) => ({ token, depth: 0 }));
  let place: number | null = null;
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next;
    if (token.type === 'document' && token.value) open.push({ token: token.value, depth });
    if (!CST.isCollection(token)) continue;
    if (depth >= maxDepth) {
      place = Math.min(place ?? Infinity, token.offset);
      continue;
    }
    for (const { key, value } of token.items as readonly Item[]) {
      if (key) open.push({ token: key, depth: depth + 1 });
      if (value) open.push({ token: value, depth: depth + 1 });
    }
  }
  return place === null ? [] : [{ offset: place, message: tooDeep }];
}
