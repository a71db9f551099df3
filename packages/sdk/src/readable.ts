/** Bytes of a binary value that are kept. */
const maxBinaryBytes = 1_024;

/** A value that JSON has: a scalar, or a container whose entries are still to be looked at. */
export type Readable =
  | Scalar
  | { values: ArrayLike<unknown> }
  | { entries: ReadonlyArray<readonly [name: string, read: () => unknown]> };

export type Scalar = string | number | boolean | null;

/**
 * The nearest thing that JSON has for a value. Its entries are read later, one at a time: reading may run a getter of the application, and
 * throw what that throws. undefined stands for what JSON leaves out.
 */
export function readable(value: unknown): Readable | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case 'symbol':
      return String(value);
    case 'function':
      return `[Function: ${value.name || 'anonymous'}]`;
    case 'object':
      return value && readableObject(value);
  }
}

/** Objects around one scalar. */
const boxed = /^(String|Number|Boolean|BigInt|Symbol)$/;

function readableObject(value: object): Readable | undefined {
  if (Array.isArray(value)) return { values: value };
  // Not instanceof: it may come from another realm, such as a frame or a sandbox.
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === 'Error' || tag === 'DOMException') return readableError(value as Error);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof RegExp || value instanceof URLSearchParams) return String(value);
  if (value instanceof Map) return readableMap(value);
  if (value instanceof Set) return { values: [...value] };
  if (value instanceof ArrayBuffer) return readableBinary('ArrayBuffer', new Uint8Array(value));
  if (ArrayBuffer.isView(value)) return readableView(value);
  if (boxed.test(tag) && typeof value.valueOf() !== 'object') return readable(value.valueOf());
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return afterToJson(toJSON.call(value, ''));
  const names = Object.keys(value);
  const kind = nameOf(value);
  // A promise, a response, a stream: nothing of it can be read.
  if (names.length === 0 && kind !== 'Object') return `[${kind}]`;
  return { entries: entriesOf(value, names) };
}

/** As JSON.stringify does, `toJSON` is asked once. */
function afterToJson(value: unknown): Readable | undefined {
  if (typeof value !== 'object' || value === null) return readable(value);
  if (Array.isArray(value)) return { values: value };
  return { entries: entriesOf(value, Object.keys(value)) };
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
  const errors = error instanceof AggregateError ? ['errors'] : [];
  // None of these need be enumerable.
  return { entries: entriesOf(error, [...new Set(['name', 'message', 'stack', 'cause', ...errors, ...Object.keys(error)])]) };
}

/** An object where every key is a text, else a list of pairs. */
function readableMap(map: ReadonlyMap<unknown, unknown>): Readable {
  const entries = [...map];
  if (!entries.every(([key]) => typeof key === 'string')) return { values: entries };
  return { entries: entries.map(([key, value]) => [key as string, () => value]) };
}

/** Numbers stay a list; bytes are written as base64. */
function readableView(view: ArrayBufferView): Readable {
  const kind = nameOf(view);
  if (view instanceof Uint8Array || view instanceof Uint8ClampedArray || view instanceof DataView) {
    return readableBinary(kind, new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  }
  return { values: view as unknown as ArrayLike<unknown> };
}

function readableBinary(type: string, bytes: Uint8Array): Readable {
  const kept = bytes.subarray(0, maxBinaryBytes);
  return {
    entries: [
      ['type', () => type],
      ['bytes', () => bytes.length],
      [kept.length < bytes.length ? `base64 of the first ${maxBinaryBytes}` : 'base64', () => btoa(String.fromCharCode(...kept))],
    ],
  };
}
