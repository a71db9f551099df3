import { pointerStep } from './json-pointer.ts';

/** A fault in a guardrail; `path` is a JSON pointer into the guardrail. The message is a sentence that says what to do. */
export interface Problem {
  path: string;
  message: string;
  /** For a field that is unknown: the known ones. */
  known?: readonly string[];
}

/** A configuration under examination, which collects its problems. */
export class Fields {
  readonly problems: Problem[] = [];
  /** Sizes of the compiled parts of the whole configuration, in states. */
  readonly sizes: number[];
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(config: unknown, path: string, known: readonly string[], outer?: Fields) {
    this.problems = outer?.problems ?? [];
    this.sizes = outer?.sizes ?? [];
    this.#path = path;
    const isObject = typeof config === 'object' && config !== null && !Array.isArray(config);
    this.#config = isObject ? (config as Record<string, unknown>) : {};
    if (!isObject) this.add('', 'must be an object');
    for (const name of Object.keys(this.#config)) {
      if (known.includes(name)) continue;
      this.add(`/${pointerStep(name)}`, `is unknown; the fields are ${known.join(', ')}`, known);
    }
  }

  /** An object inside this one, at `path`; its problems are added to these. */
  inside(value: unknown, path: string, known: readonly string[]): Fields {
    return new Fields(value, `${this.#path}${path}`, known, this);
  }

  /** Adds a problem; the message completes the sentence "The field ...". */
  add(path: string, message: string, known?: readonly string[]): void {
    const full = `${this.#path}${path}`;
    this.problems.push({ path: full, message: `\`${full.slice(1).replaceAll('/', '.')}\` ${message}.`, ...(known && { known }) });
  }

  boolean(name: string): void {
    const value = this.#config[name];
    if (value !== undefined && typeof value !== 'boolean') this.add(`/${name}`, 'must be true or false');
  }

  text(name: string, longest: number, required = false): void {
    const value = this.#config[name];
    if (value === undefined && !required) return;
    if (typeof value !== 'string' || value.length === 0 || value.length > longest) {
      this.add(`/${name}`, `must be a text of 1 to ${longest} characters`);
    }
  }

  number(name: string, fine: (value: number) => boolean, message: string, required = false): void {
    const value = this.#config[name];
    if (value === undefined && !required) return;
    if (typeof value !== 'number' || !fine(value)) this.add(`/${name}`, message);
  }

  /** The items of a list of 1 to `most` items; none where it is not one. */
  list(name: string, most: number, required = false): unknown[] {
    const value = this.#config[name];
    if (value === undefined && !required) return [];
    if (Array.isArray(value) && value.length > 0 && value.length <= most) return value;
    this.add(`/${name}`, `must be a list of 1 to ${most} items`);
    return [];
  }

  /** Checks every item of a list. */
  items(name: string, most: number, fine: (value: string) => boolean, message: string, required = false): void {
    for (const [index, item] of this.list(name, most, required).entries()) {
      if (typeof item !== 'string' || !fine(item)) this.add(`/${name}/${index}`, message);
    }
  }

  value(name: string): unknown {
    return this.#config[name];
  }
}
