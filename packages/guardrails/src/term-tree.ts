import type { Reader } from './scanner.ts';

/** Units of the beginning of a term, and the number of different beginnings, that a regular expression looks for. */
const beginningLength = 3;
const maxBeginnings = 8;

/** A place between characters of terms; the terms that lead to it begin alike. */
interface Node<Value> {
  /** Characters behind the one that leads here, which all terms of this node have. */
  run: string;
  /** By the next UTF-16 unit. */
  next: Map<number, Node<Value>>;
  /** The value of the first term that ends here. */
  value: Value | undefined;
}

/** Terms by their UTF-16 units. There are at most two nodes a term, whatever its length. */
export class TermTree<Value> {
  readonly #root: Node<Value> = nodeOf('');
  /** For each ASCII unit and the seven lower bits of the next one, as an index of 14 bits, whether a term may begin with them. */
  readonly #pairs = new Uint8Array(1 << 14);

  /** What terms begin with. */
  readonly #beginnings = new Set<string>();
  #expression: RegExp | 'none' | null = null;

  /** Adds a term; the value of the first one counts where a term is added again. @param term not empty */
  add(term: string, value: Value): void {
    this.#addPair(term);
    this.#beginnings.add(term.slice(0, beginningLength));
    let node = this.#root;
    for (let at = 0; at < term.length;) {
      const unit = term.charCodeAt(at);
      at += 1;
      const next = node.next.get(unit);
      if (!next) {
        node.next.set(unit, nodeOf(term.slice(at), value));
        return;
      }
      const shared = sharedLength(next.run, term, at);
      if (shared < next.run.length) split(next, shared);
      at += shared;
      node = next;
    }
    node.value ??= value;
  }

  /** The first offset, `from` or behind it, at which a term may begin in a text that is whole; the length of the text where there is none. */
  seek(text: string, from: number): number {
    const expression = this.#expression ?? expressionFor(this.#beginnings);
    this.#expression = expression;
    if (expression === 'none') return this.firstFrom(text, from);
    expression.lastIndex = from;
    return expression.exec(text)?.index ?? text.length;
  }

  #addPair(term: string): void {
    const unit = term.charCodeAt(0);
    if (unit >= 128) return;
    if (term.length === 1) this.#pairs.fill(1, unit << 7, (unit + 1) << 7);
    // The last unit of a text has no next one; it is looked up with 0.
    else for (const next of [term.charCodeAt(1), 0]) this.#pairs[(unit << 7) | (next & 0x7f)] = 1;
  }

  /** The same in any text, by the first two units of terms; the length of the text where there is none. */
  firstFrom(text: string, from: number): number {
    const pairs = this.#pairs;
    const last = text.length - 1;
    for (let at = from; at <= last; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit < 128 ? pairs[(unit << 7) | (at < last ? text.charCodeAt(at + 1) & 0x7f : 0)] === 1 : this.#root.next.has(unit))
        return at;
    }
    return text.length;
  }

  /** Calls `onTerm` for each term at an offset, shorter ones first. Returns the offset behind the last unit that fitted a term. */
  walk(reader: Reader, start: number, onTerm: (value: Value, end: number) => void): number {
    let node = this.#root.next.get(reader.text.charCodeAt(start));
    let end = start + 1;
    while (node) {
      const shared = reader.shared(node.run, end);
      end += shared;
      if (shared < node.run.length) return end;
      if (node.value !== undefined) onTerm(node.value, end);
      if (node.next.size === 0) return end;
      node = node.next.get(reader.at(end));
      end += 1;
    }
    return end;
  }
}

/** Finds some beginnings of terms, if they are few: for more the table of pairs is faster. */
function expressionFor(beginnings: ReadonlySet<string>): RegExp | 'none' {
  if (beginnings.size > maxBeginnings || [...beginnings].some(({ length }) => length < beginningLength)) return 'none';
  const escaped = [...beginnings].map((text) =>
    Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
  return new RegExp(escaped.join('|'), 'g');
}

function nodeOf<Value>(run: string, value?: Value): Node<Value> {
  return { run, next: new Map(), value };
}

/** How many characters of a run stand in a term at an offset. */
function sharedLength(run: string, term: string, at: number): number {
  let length = 0;
  while (length < run.length && run.charCodeAt(length) === term.charCodeAt(at + length)) length += 1;
  return length;
}

/** Splits a node's run: what stands behind `length` characters moves to a new node. */
function split<Value>(node: Node<Value>, length: number): void {
  const behind: Node<Value> = { ...node, run: node.run.slice(length + 1) };
  node.next = new Map([[node.run.charCodeAt(length), behind]]);
  node.run = node.run.slice(0, length);
  node.value = undefined;
}
