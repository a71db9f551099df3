import { analyse } from 'scslre';
import type { Literal } from 'scslre';
import { expect, test } from 'vitest';
import { parseSync, Visitor } from 'vite';
import { readSourceTree } from './support/source-tree.ts';

// One process serves all requests: a regular expression that backtracks on hostile text blocks all of them. Patterns of users run on
// RE2 (packages/guardrails), which does not backtrack.

/** Files that construct expressions at run time, with what they construct them from. None may contain text of a user, unless every character is escaped. */
const constructed: Readonly<Record<string, string>> = {
  'src/config.ts': 'the protocols of a URL: alternatives without repetition',
  'web/src/content/code-tokens.ts':
    'comments of three kinds of languages, texts of the same file: each alternative begins with another character',
  'web/src/content/embedded-json.ts': 'numbers of one line each: no two repetitions begin alike',
  'src/platform/http/route-table.ts': 'one [^/]+ for each parameter of a path, separated by "/"',
  'packages/guardrails/src/entities/keyed-secrets.ts':
    'names of the same file, and at most 36 characters behind them: no repetition without a bound',
  'packages/guardrails/src/entities/secrets.ts': 'prefixes of tokens: alternatives without repetition',
  'packages/guardrails/src/term-tree.ts':
    'at most eight beginnings of terms, three escaped characters each: alternatives without repetition',
  'src/features/policies/pull/render-policy.ts': 'a literal of the same file with the flag g added',
  'src/features/trace-store/derivation/agent-names.ts':
    'a text of the same file, which is a pattern of ClickHouse too: alternatives at the ends of a name',
  'src/features/trace-store/tables/payload-copies.ts': 'a literal of the same file with the flag g added',
};

const sources = [...readSourceTree('src', 'web/src', 'packages')].filter(([path]) => !/\.(?:test|fixture|oracle)\./.test(path));

test('no regular expression literal of the product takes quadratic time or more', () => {
  const literals = sources.flatMap(([path, text]) => expressionsOf(path, text).literals);
  expect(literals.length).toBeGreaterThan(100);
  expect(literals.filter(({ literal }) => isSlow(literal))).toEqual([]);
});

test('regular expressions are constructed in the reviewed files only', () => {
  const files = sources.filter(([path, text]) => expressionsOf(path, text).constructions > 0).map(([path]) => path);
  expect(files.toSorted()).toEqual(Object.keys(constructed).toSorted());
});

test.each([
  ['exponential', String.raw`const text = /"(?:[^"\\]+|\\.)*"/y;`],
  ['exponential', String.raw`const spaces = /(?:\s*,?\s*)*x/;`],
  ['quadratic', String.raw`const both = /^\w*\d*$/v;`],
  ['quadratic, because a match may begin at any character', String.raw`const slashes = /\/+$/;`],
])('%s: %s', (_time, text) => {
  const { literals } = expressionsOf('src/planted.ts', text);
  expect(literals.filter(({ literal }) => isSlow(literal))).toHaveLength(1);
});

test.each(["new RegExp('a+')", 'RegExp(text)', "text.match('a+$')", 'text.search(`${part}+`)', 'text.matchAll("a")'])(
  'a construction: %s',
  (text) => {
    expect(expressionsOf('src/planted.ts', `const text = '', part = ''; ${text};`).constructions).toBe(1);
  },
);

interface Expressions {
  literals: Array<{ path: string; literal: Literal }>;
  /** Number of calls that construct a regular expression from a string. */
  constructions: number;
}

const methods = new Set(['match', 'matchAll', 'search']);

function expressionsOf(path: string, text: string): Expressions {
  const found: Expressions = { literals: [], constructions: 0 };
  const { program } = parseSync(path, text);
  new Visitor({
    Literal(node) {
      if ('regex' in node) found.literals.push({ path, literal: { source: node.regex.pattern, flags: node.regex.flags } });
    },
    NewExpression({ callee }) {
      if (isRegExp(callee)) found.constructions += 1;
    },
    CallExpression({ callee, arguments: [first] }) {
      const takesPattern =
        callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && methods.has(callee.property.name);
      if (isRegExp(callee) || (takesPattern && first && isText(first))) found.constructions += 1;
    },
  }).visit(program);
  return found;
}

/** The members of syntax tree nodes that are read. */
interface SyntaxNode {
  type: string;
  name?: unknown;
  value?: unknown;
}

function isRegExp(node: SyntaxNode): boolean {
  return node.type === 'Identifier' && node.name === 'RegExp';
}

function isText(node: SyntaxNode): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}

/** Whether matching may take quadratic time or more. */
function isSlow(literal: Literal): boolean {
  return analyse(literal, { reportTypes: { Move: true, Self: true, Trade: true } }).reports.length > 0;
}
