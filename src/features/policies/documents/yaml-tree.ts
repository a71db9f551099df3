import { Composer, isAlias, isMap, isScalar, isSeq, Lexer, Parser } from 'yaml';
import type { CST, Document } from 'yaml';
import { cutText } from '../../../platform/text/index.ts';
import { Expansion } from './expansion.ts';
import { echo, longestEcho } from './echo.ts';
import type { PlacedEntry, PlacedMapping, PlacedScalar, PlacedValue, TextFault } from './placed.ts';
import { badEscape, faultsOfShape, tooLarge } from './token-limits.ts';

/** The documents of a YAML text that are not empty. */
export interface YamlTree {
  documents: PlacedValue[];
  /** In no certain order. */
  faults: TextFault[];
  /** Errors of the syntax itself. What follows from them in the documents is no further fault. */
  syntax: TextFault[];
}

/** What a YAML file must not have: control characters, halves of surrogate pairs, and what an invalid encoding is decoded to. */
const unreadable = /(?![\t\n\r\u0085])\p{Cc}|[\ufffd-\uffff]|\p{Cs}/gu;
const maxTextFaults = 100;
const longestMessage = 300;

/** The characters of a text that a YAML file must not have; the first 100. */
export function faultsOfText(text: string): TextFault[] {
  const faults: TextFault[] = [];
  for (const { index, 0: character } of text.matchAll(unreadable)) {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const why = character === '\ufffd' ? 'is what bytes that are not UTF-8 are read as' : 'is not allowed in YAML';
    faults.push({
      offset: index,
      message: `The character U+${code} ${why}. Save the file as UTF-8, or write \\u${code} in double quotes.`,
    });
    if (faults.length === maxTextFaults) break;
  }
  return faults;
}

/**
 * Reads the YAML 1.2 documents of a text, with the place of every key and value. Time and memory are bounded: nesting, the number of values and what
 * aliases expand to have limits. A document with faults may have a tree with parts missing.
 *
 * @param expansion what aliases of all files of a request may expand to
 */
export function readYaml(text: string, expansion: Expansion = new Expansion()): YamlTree {
  const tree: YamlTree = { documents: [], faults: [], syntax: [] };
  const tokens = tokensOf(text, tree.faults);
  if (tokens === null) return tree;
  // A text may have 100,000 faults, and their stack traces would take 100 MB.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    compose(tokens, text, tree, expansion);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return tree;
}

function compose(tokens: readonly CST.Token[], text: string, tree: YamlTree, expansion: Expansion): void {
  const composer = new Composer({ version: '1.2', uniqueKeys: false, prettyErrors: false, merge: false });
  const take = (document: Document.Parsed): void => {
    for (const { pos, message } of document.errors) tree.syntax.push({ offset: pos[0], message: sentence(message) });
    for (const { pos, message } of document.warnings) tree.faults.push({ offset: pos[0], message: sentence(message) });
    if (document.directives.yaml.version !== '1.2') {
      tree.faults.push({ offset: document.range[0], message: 'The document is not YAML 1.2. Leave out the %YAML directive.' });
    }
    const contents: unknown = document.contents;
    if (contents === null || (isScalar(contents) && contents.value === null && (contents.source ?? '') === '')) return;
    tree.documents.push(new Placing(tree.faults, expansion).value(contents, document.range[0], 0));
  };
  for (const token of tokens) for (const document of composer.next(token)) take(document as Document.Parsed);
  for (const document of composer.end(true, text.length)) take(document as Document.Parsed);
}

/** The tokens of a text; null where it exceeds a limit, which is then a fault. */
function tokensOf(text: string, faults: TextFault[]): CST.Token[] | null {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const limit = tooLarge();
  for (const lexeme of new Lexer().lex(text)) {
    const message = limit(lexeme);
    const escape = message === null ? badEscape(lexeme) : null;
    if (message !== null || escape !== null) {
      const offset = Math.min(parser.offset + (escape?.offset ?? 0), text.length);
      faults.push({ offset, message: message ?? escape?.message ?? '' });
      return null;
    }
    for (const token of parser.next(lexeme)) tokens.push(token);
  }
  for (const token of parser.end()) tokens.push(token);
  const deep = faultsOfShape(tokens);
  faults.push(...deep);
  return deep.length > 0 ? null : tokens;
}

function sentence(message: string): string {
  const text = cutText(message, longestMessage).replace(/\s+/gu, ' ').trim();
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/u.test(text) ? '' : '.'}`;
}

/** Converts the nodes of one document, in their order, since an alias means the last anchor before it. */
class Placing {
  readonly #faults: TextFault[];
  readonly #expansion: Expansion;
  /** null: the anchor's own value is not complete. */
  readonly #anchors = new Map<string, PlacedValue | null>();

  constructor(faults: TextFault[], expansion: Expansion) {
    this.#faults = faults;
    this.#expansion = expansion;
  }

  value(node: unknown, parentOffset: number, depth: number): PlacedValue {
    const range = (node as { range?: readonly number[] | null } | null)?.range;
    const offset = range?.[0] ?? parentOffset;
    if (isAlias(node)) return this.#alias(node.source, offset);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, null);
    const placed = this.#node(node, offset, depth);
    if (anchor !== undefined) this.#anchors.set(anchor, placed);
    return placed;
  }

  #node(node: unknown, offset: number, depth: number): PlacedValue {
    if (isMap(node)) return this.#mapping(node.items, offset, depth);
    if (isSeq(node)) {
      return { type: 'list', offset, items: node.items.map((item) => this.value(item, offset, depth + 1)) };
    }
    return { type: 'scalar', offset, value: isScalar(node) ? this.#scalar(node.value, offset) : null };
  }

  #mapping(items: ReadonlyArray<{ key: unknown; value: unknown }>, offset: number, depth: number): PlacedMapping {
    const entries = new Map<string, PlacedEntry>();
    for (const { key, value } of items) {
      const place = (key as { range?: readonly number[] | null } | null)?.range?.[0] ?? offset;
      const name = isScalar(key) ? (key.source ?? String(key.value)) : null;
      const placed = this.value(value, place, depth + 1);
      if (name === null || (name === '' && isScalar(key) && key.value === null)) this.#fault(place, 'A key must be a text.');
      else if (name === '__proto__') this.#fault(place, 'The key __proto__ is not allowed. Rename it.');
      else if (entries.has(name)) this.#fault(place, `The key ${echo(name)} is there twice. Keep one of the two.`);
      else entries.set(name, { offset: place, value: placed });
    }
    return { type: 'mapping', offset, entries };
  }

  #scalar(value: unknown, offset: number): PlacedScalar['value'] {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      this.#fault(offset, 'A number must be finite.');
      return null;
    }
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
    this.#fault(offset, 'The value must be a text, a number, true, false or null.');
    return null;
  }

  #alias(name: string, offset: number): PlacedValue {
    const target = this.#anchors.get(name);
    if (target === undefined || target === null) {
      const shown = cutText(name, longestEcho, '…');
      const message =
        target === null ? `The alias *${shown} is inside its own anchor.` : `There is no anchor &${shown} before this alias.`;
      this.#fault(offset, message);
      return { type: 'scalar', offset, value: null };
    }
    const refusal = this.#expansion.expand(target);
    if (refusal === null) return { ...target, offset };
    this.#fault(offset, refusal);
    return { type: 'scalar', offset, value: null };
  }

  #fault(offset: number, message: string): void {
    this.#faults.push({ offset, message });
  }
}
