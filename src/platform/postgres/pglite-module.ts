import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// V8 runs a function of WebAssembly in baseline code first, and in optimised code, which is two to three times as fast, once the function has run often. Its
// optimising compiler takes up to 600 MB for one of PostgreSQL's largest functions, and gains little there. So these stay in baseline code (ADR 0025).

/** Bytes of a function's body above which it stays in baseline code. The compiler takes at most 50 MB for a smaller one. */
const largestOptimised = 64_000;
const codeSection = 10;
/** A byte of V8's section `compilationHints` for a function that is compiled when it is first called, with the default tiers. */
const whenCalled = 1;
/** One for a function that is compiled with its module, in baseline code: strategy "eager" and "baseline" for both tiers. */
const withModule = 2 | (1 << 2) | (1 << 4);

/** V8's flags for the time in which the module is compiled, and those after it. `wasm-tier-up-filter` names the only function that may get optimised code. */
const whileCompiled = ['--experimental-wasm-compilation-hints', '--no-wasm-lazy-compilation', '--wasm-tier-up-filter=0'];
const afterwards = ['--no-experimental-wasm-compilation-hints', '--wasm-lazy-compilation', '--wasm-tier-up-filter=-1'];

/** The API of WebAssembly, which Node's types lack. */
const webAssembly = Reflect.get(globalThis, 'WebAssembly') as { Module: new (bytes: Uint8Array) => WebAssembly.Module };

/** Compiles PGlite's PostgreSQL. Takes some 40 ms of this thread. Another WebAssembly module that is compiled meanwhile runs in baseline code. */
export function compilePglite(): WebAssembly.Module {
  const bytes = readFileSync(fileURLToPath(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))));
  const hinted = withCompilationHints(bytes, largestOptimised);
  for (const flag of whileCompiled) setFlagsFromString(flag);
  try {
    return new webAssembly.Module(hinted);
  } finally {
    for (const flag of afterwards) setFlagsFromString(flag);
  }
}

/**
 * Adds V8's section `compilationHints` to a module of WebAssembly: functions of more than `largest` bytes are compiled with the module in baseline code, and
 * the others when they are first called. An engine that does not know the section ignores it.
 */
export function withCompilationHints(module: Uint8Array, largest: number): Uint8Array<ArrayBuffer> {
  const { start, sizes } = codeOf(module);
  const hints = sizes.map((size) => (size > largest ? withModule : whenCalled));
  const name = new TextEncoder().encode('compilationHints');
  const content = [...unsigned(name.length), ...name, ...unsigned(hints.length), ...hints];
  const section = [0, ...unsigned(content.length), ...content];
  const joined = new Uint8Array(module.length + section.length);
  joined.set(module.subarray(0, start));
  joined.set(section, start);
  joined.set(module.subarray(start), start + section.length);
  return joined;
}

/** Where the code section of a module begins, and the size of each function's body in bytes. */
function codeOf(module: Uint8Array): { start: number; sizes: number[] } {
  const reader = new Reader(module, 8);
  while (reader.offset < module.length) {
    const start = reader.offset;
    const kind = reader.byte();
    const size = reader.unsigned();
    if (kind === codeSection) {
      const sizes = Array.from({ length: reader.unsigned() }, () => reader.skip(reader.unsigned()));
      return { start, sizes };
    }
    reader.skip(size);
  }
  throw new Error('the module of WebAssembly has no code');
}

/** Reads the binary format of WebAssembly. */
class Reader {
  readonly #bytes: Uint8Array;
  offset: number;

  constructor(bytes: Uint8Array, offset: number) {
    this.#bytes = bytes;
    this.offset = offset;
  }

  byte(): number {
    const byte = this.#bytes[this.offset++];
    if (byte === undefined) throw new Error('the module of WebAssembly is cut off');
    return byte;
  }

  /** A number in unsigned LEB128. */
  unsigned(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  /** @returns `count` */
  skip(count: number): number {
    this.offset += count;
    return count;
  }
}

/** A number in unsigned LEB128. */
function unsigned(value: number): number[] {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 0x80)) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest % 0x80) | 0x80);
  }
}
