import type { SqlPart } from '../../../platform/clickhouse/index.ts';

/** Binds the values of one filter under names of their own. */
export class Binder {
  readonly #prefix: string;
  readonly #parameters: Record<string, unknown> = {};
  #count = 0;

  /** @param prefix of the names: one for each piece of a statement */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The placeholder of a value. @param type of ClickHouse */
  bind(value: unknown, type: string): string {
    const name = `${this.#prefix}${this.#count++}`;
    this.#parameters[name] = value;
    return `{${name}:${type}}`;
  }

  /** A piece of SQL with everything that was bound so far. */
  part(text: string): SqlPart {
    return { text, parameters: { ...this.#parameters } };
  }
}
