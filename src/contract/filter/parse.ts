import { nearName } from '../nearest-name.ts';
import type { FieldTerm, Filter, FilterValue } from './ast.ts';
import { filterFields } from './fields.ts';
import type { FilterField, FilterSubject } from './fields.ts';
import { FilterError } from './filter-error.ts';
import { readValue } from './read-value.ts';
import type { WrittenValue } from './read-value.ts';
import { Scanner } from './scan.ts';

export const maxFilterLength = 4000;
export const maxFilterTerms = 100;
export const maxFilterDepth = 20;

interface ParseOptions {
  /** What the list is of. */
  on: FilterSubject;
  /** Epoch milliseconds, for moments such as `-2h`. */
  nowMs: number;
}

/**
 * Reads a filter (docs/filter.md): `all` without terms for a blank text. Takes time linear in the length of the text.
 *
 * Errors: {@link FilterError} with the offsets of what is wrong.
 */
export function parseFilter(text: string, options: ParseOptions): Filter {
  if (text.length > maxFilterLength) {
    const at = { start: maxFilterLength, end: text.length };
    throw new FilterError(`A filter has at most ${maxFilterLength} characters; this one has ${text.length}.`, at);
  }
  return new Parser(text, options).whole();
}

class Parser {
  readonly #scanner: Scanner;
  readonly #nowMs: number;
  #on: FilterSubject;
  #terms = 0;
  #depth = 0;

  constructor(text: string, { on, nowMs }: ParseOptions) {
    this.#scanner = new Scanner(text);
    this.#on = on;
    this.#nowMs = nowMs;
  }

  whole(): Filter {
    this.#scanner.skipBlanks();
    if (this.#scanner.isAtEnd) return { type: 'all', terms: [] };
    const filter = this.#some();
    if (!this.#scanner.isAtEnd) this.#fail('This parenthesis closes none; remove it.');
    return filter;
  }

  /** Terms with OR between them. */
  #some(): Filter {
    const terms = [this.#all()];
    while (this.#takesKeyword('OR')) terms.push(this.#all());
    return joined('some', terms);
  }

  /** Terms with AND, or only a space, between them. */
  #all(): Filter {
    const scanner = this.#scanner;
    const terms = [this.#unary()];
    for (;;) {
      scanner.skipBlanks();
      const isJoined = this.#takesKeyword('AND');
      if (!isJoined && (scanner.isAtEnd || scanner.text[scanner.at] === ')' || this.#isBeforeOr())) break;
      terms.push(this.#unary());
    }
    return joined('all', terms);
  }

  #isBeforeOr(): boolean {
    const { at } = this.#scanner;
    const found = this.#scanner.takesWord('OR');
    this.#scanner.at = at;
    return found;
  }

  #takesKeyword(keyword: string): boolean {
    this.#scanner.skipBlanks();
    return this.#scanner.takesWord(keyword);
  }

  #unary(): Filter {
    const scanner = this.#scanner;
    let isNegated = false;
    for (;;) {
      scanner.skipBlanks();
      const dashed =
        scanner.text[scanner.at] === '-' &&
        scanner.at + 1 < scanner.text.length &&
        !/[\s)]/.test(scanner.text[scanner.at + 1] ?? '');
      if (dashed) scanner.at++;
      else if (!scanner.takesWord('NOT')) break;
      isNegated = !isNegated;
    }
    const term = this.#primary();
    return isNegated ? { type: 'not', term } : term;
  }

  #primary(): Filter {
    const scanner = this.#scanner;
    scanner.skipBlanks();
    const { at } = scanner;
    for (const keyword of ['AND', 'OR', 'NOT']) {
      if (scanner.takesWord(keyword)) {
        const message = `A term is missing beside ${keyword}; put the word in quotation marks to search for it.`;
        throw new FilterError(message, { start: at, end: scanner.at });
      }
    }
    if (scanner.isAtEnd) throw new FilterError('A term is missing at the end.', { start: at, end: at });
    if (scanner.text[at] === ')') this.#fail('A term is missing before this parenthesis.');
    if (scanner.takes('(')) return this.#inParentheses(at);
    for (const type of ['any', 'none'] as const) {
      if (!scanner.text.startsWith(`${type}(`, at)) continue;
      scanner.at += type.length + 1;
      return { type, term: this.#ofSpans(at) };
    }
    this.#terms++;
    if (this.#terms > maxFilterTerms) this.#fail(`A filter has at most ${maxFilterTerms} terms.`);
    if (scanner.text[at] === '"') return { type: 'text', text: scanner.quoted() };
    const name = scanner.fieldName();
    if (name === null) return { type: 'text', text: scanner.word() };
    return this.#field(name);
  }

  #inParentheses(start: number): Filter {
    this.#depth++;
    if (this.#depth > maxFilterDepth) this.#fail(`A filter has at most ${maxFilterDepth} levels of parentheses.`);
    const filter = this.#some();
    this.#scanner.skipBlanks();
    if (!this.#scanner.takes(')'))
      throw new FilterError('The parenthesis is not closed.', { start, end: this.#scanner.text.length });
    this.#depth--;
    return filter;
  }

  /** What stands in `any(...)` and `none(...)` is said of a span. */
  #ofSpans(start: number): Filter {
    const outer = this.#on;
    this.#on = 'spans';
    const filter = this.#inParentheses(start);
    this.#on = outer;
    return filter;
  }

  #field({ parts, start, end }: { parts: string[]; start: number; end: number }): FieldTerm {
    const found = findField(parts, this.#on);
    if (found === null) {
      const names = filterFields[this.#on].map(({ name }) => name);
      const written = this.#scanner.text.slice(start, end);
      const keyed = names.find((name) => name.endsWith('.') && `${written}.`.startsWith(name));
      if (keyed !== undefined) throw new FilterError(`A key is missing behind ${keyed}`, { start, end }, keyed);
      // What only traces have stands on spans as that of their trace.
      const ofTrace = `trace.${written}`;
      const suggestion = nearName(written, names) ?? names.find((name) => name === ofTrace);
      const near = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
      const message = `There is no field ${written}${near || '.'} Put a text with a colon in quotation marks to search for it.`;
      throw new FilterError(message, { start, end }, suggestion);
    }
    return { type: 'field', ...found, values: this.#values(found.field) };
  }

  #values(field: FilterField): FilterValue[] | null {
    const scanner = this.#scanner;
    if (scanner.text[scanner.at] !== '(') {
      const value = scanner.value();
      return isPresence(value) ? null : [readValue(field, value, this.#nowMs)];
    }
    const start = scanner.at++;
    const values: FilterValue[] = [];
    do {
      scanner.skipBlanks();
      const value = scanner.value();
      if (isPresence(value) || value.comparison !== '') {
        const message = 'Only values stand in the parentheses of a field; join comparisons outside: latency:<1s OR latency:>5s.';
        throw new FilterError(message, value);
      }
      values.push(readValue(field, value, this.#nowMs));
    } while (this.#takesKeyword('OR'));
    if (scanner.takes(')')) return values;
    const from = scanner.at;
    if (scanner.word() === '') scanner.at = Math.min(from + 1, scanner.text.length);
    const at = { start: from === scanner.text.length ? start : from, end: scanner.at };
    throw new FilterError('The parenthesis is not closed; write OR between the values.', at);
  }

  #fail(message: string): never {
    const { at, text } = this.#scanner;
    throw new FilterError(message, { start: at, end: Math.min(at + 1, text.length) });
  }
}

/** `*` alone: the field is there. */
function isPresence({ text, isQuoted, startStar, endStar, comparison }: WrittenValue): boolean {
  return text === '' && !isQuoted && startStar && endStar && comparison === '';
}

/** One term stands for itself, and terms of the same kind are one list. */
function joined(type: 'all' | 'some', terms: readonly Filter[]): Filter {
  const flat = terms.flatMap((term) => (term.type === type ? term.terms : [term]));
  const [only] = flat;
  return only && flat.length === 1 ? only : { type, terms: flat };
}

const byName = {
  spans: new Map(filterFields.spans.map((field) => [field.name, field])),
  traces: new Map(filterFields.traces.map((field) => [field.name, field])),
};

/** The field that a name stands for, and the key behind it; null for none. @param parts of the name between its dots */
export function findField(parts: readonly string[], on: FilterSubject): Pick<FieldTerm, 'field' | 'path'> | null {
  const fields = byName[on];
  const whole = fields.get(parts.join('.'));
  if (whole && whole.type !== 'key') return { field: whole, path: [] };
  const field = fields.get(`${parts[0]}.`);
  const rest = parts.slice(1);
  if (!field || rest.length === 0 || rest.includes('')) return null;
  return { field, path: field.name === 'metadata.' ? rest : [rest.join('.')] };
}
