/** Bytes of a binary value that are kept. */
const maxBinaryBytes = 1_024;

/** A value that JSON has: a scalar, or a container whose entries are still to be looked at. */
export type Readable =
  | { kind: 'scalar'; value: string | number | boolean | null }
  | { kind: 'array'; values: ArrayLike<unknown> }
  | { kind: 'object'; entries: ReadonlyArray<readonly [name: string, read: () => unknown]> };

/**
 * The nearest thing that JSON has for a value. Its entries are read later, one at a time: reading may run a getter of the application, and
 * throw what that throws. undefined stands for what JSON leaves out.
 */
export function readable(value: unknown): Readable | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return { kind: 'scalar', value };
    case 'number':
      return { kind: 'scalar', value: Number.isFinite(value) ? value : String(value) };
    case 'bigint':
      return { kind: 'scalar', value: isSafe(value) ? Number(value) : String(value) };
    case 'symbol':
      return { kind: 'scalar', value: String(value) };
    case 'function':
      return { kind: 'scalar', value: `[Function: ${value.name || 'anonymous'}]` };
    case 'undefined':
      return undefined;
    case 'object':
      return value === null ? { kind: 'scalar', value } : readableObject(value);
  }
}

function isSafe(value: bigint): boolean {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
}

/** Objects around one scalar. */
const boxed: ReadonlySet<string> = new Set(['String', 'Number', 'Boolean', 'BigInt', 'Symbol']);

function readableObject(value: object): Readable | undefined {
  if (Array.isArray(value)) return { kind: 'array', values: value };
  // Not instanceof: it may come from another realm, such as a frame or a sandbox.
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === 'Error' || tag === 'DOMException') return readableError(value as Error);
  if (value instanceof Date)
    return { kind: 'scalar', value: Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString() };
  if (value instanceof RegExp || value instanceof URLSearchParams) return { kind: 'scalar', value: String(value) };
  if (value instanceof Map) return readableMap(value);
  if (value instanceof Set) return { kind: 'array', values: [...value] };
  if (value instanceof ArrayBuffer) return readableBinary('ArrayBuffer', new Uint8Array(value));
  if (value instanceof DataView)
    return readableBinary('DataView', new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  if (ArrayBuffer.isView(value)) return readableView(value);
  if (boxed.has(tag) && typeof value.valueOf() !== 'object') return readable(value.valueOf());
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return afterToJson(toJSON.call(value, ''));
  const names = Object.keys(value);
  const kind = nameOf(value);
  // A promise, a response, a stream: nothing of it can be read.
  if (names.length === 0 && kind !== 'Object') return { kind: 'scalar', value: `[${kind}]` };
  return { kind: 'object', entries: entriesOf(value, names) };
}

/** As JSON.stringify does, `toJSON` is asked once. */
function afterToJson(value: unknown): Readable | undefined {
  if (typeof value !== 'object' || value === null) return readable(value);
  if (Array.isArray(value)) return { kind: 'array', values: value };
  return { kind: 'object', entries: entriesOf(value, Object.keys(value)) };
}

function entriesOf(value: object, names: readonly string[]): Array<readonly [string, () => unknown]> {
  return names.map((name) => [name, () => (value as Record<string, unknown>)[name]]);
}

/** The class of an object; `Object` for plain ones. */
function nameOf(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null) return 'Object';
  const { constructor } = prototype as { constructor?: unknown };
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'Object';
}

function readableError(error: Error): Readable {
  const own = Object.keys(error).filter((name) => !['name', 'message', 'stack', 'cause'].includes(name));
  return {
    kind: 'object',
    entries: [
      ['name', () => error.name],
      ['message', () => error.message],
      ['stack', () => error.stack],
      ['cause', () => error.cause],
      ...(error instanceof AggregateError ? [['errors', () => error.errors] as const] : []),
      ...entriesOf(error, own),
    ],
  };
}

/** An object where every key is a text, else a list of pairs. */
function readableMap(map: ReadonlyMap<unknown, unknown>): Readable {
  const entries = [...map];
  if (!entries.every(([key]) => typeof key === 'string')) return { kind: 'array', values: entries };
  return { kind: 'object', entries: entries.map(([key, value]) => [key as string, () => value]) };
}

/** Numbers stay a list; bytes are written as base64. */
function readableView(view: ArrayBufferView): Readable {
  const kind = nameOf(view);
  if (view instanceof Uint8Array || view instanceof Uint8ClampedArray) {
    return readableBinary(kind, new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  }
  return { kind: 'array', values: view as unknown as ArrayLike<unknown> };
}

function readableBinary(type: string, bytes: Uint8Array): Readable {
  const kept = bytes.subarray(0, maxBinaryBytes);
  return {
    kind: 'object',
    entries: [
      ['type', () => type],
      ['bytes', () => bytes.length],
      [kept.length < bytes.length ? `base64 of the first ${maxBinaryBytes}` : 'base64', () => btoa(String.fromCharCode(...kept))],
    ],
  };
}
