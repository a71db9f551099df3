import type { IngestEvent } from './events.ts';
import { jsonString, utf8Length } from './json-text.ts';
import { plainJson } from './plain-json.ts';
import { writeJson, WrittenJson } from './write-json.ts';

/** Maximum events of a batch, the limit of the service. */
export const maxBatchEvents = 100;
/** Largest batch in bytes before compression; the service takes 1 MiB. */
export const maxBatchBytes = 900_000;
/** Largest payload in bytes of JSON: each field of an event by itself. */
export const maxPayloadBytes = 500_000;

/** Maximum fields of an event; events of Spanwise have fewer. */
const maxFields = 100;
/** Longer names of fields are cut; those of Spanwise are shorter. */
const maxNameBytes = 128;
const lineEndBytes = 1;

/** One event as a line of `POST /v1/ingest`. */
export interface EncodedEvent {
  /** One JSON object, without a line end. */
  line: string;
  /** Size in UTF-8. */
  bytes: number;
  /** Names of the fields that were cut to fit. */
  cut: readonly string[];
}

/** A body of `POST /v1/ingest`, `content-type: application/x-ndjson`. */
export interface Batch {
  /** Lines, each with its end. */
  body: string;
  /** Size in UTF-8. */
  bytes: number;
  events: number;
}

interface Field {
  name: string;
  /** The name as JSON, with its colon. */
  key: string;
  value: unknown;
  written: WrittenJson;
}

/**
 * Writes an event as a line. A value that is not JSON becomes something readable; a field over {@link maxPayloadBytes} is cut, with a mark, and the largest
 * fields are cut further where the line would not fit into a batch. Never throws: what cannot be an event is for the service to refuse.
 */
export function encodeEvent(event: IngestEvent): EncodedEvent {
  const line = encodePlain(event);
  return line === undefined ? encodeAny(event) : { line, bytes: utf8Length(line), cut: [] };
}

/** Writes an event, an outcome or a change as a line, as {@link encodeEvent} says. */
export function encodeLine(event: object): string {
  return encodePlain(event) ?? encodeAny(event).line;
}

/** A UTF-16 unit takes at most so many bytes in UTF-8. */
const maxUnitBytes = 3;

/** Most events: small, with values that JSON has. undefined for the others. */
function encodePlain(event: object): string | undefined {
  try {
    let line = '{';
    for (const name of Object.keys(event)) {
      const value = (event as Readonly<Record<string, unknown>>)[name];
      if (value === undefined) continue;
      const isWritten = WrittenJson.is(value);
      const json = isWritten && !value.cut ? value.json : isWritten ? undefined : plainJson(value);
      if (json === undefined || json.length > maxPayloadBytes / maxUnitBytes) return undefined;
      const { key, nextKey } = keyOf(name);
      line += line === '{' ? key : nextKey;
      line += json;
    }
    return line.length < (maxBatchBytes - lineEndBytes) / maxUnitBytes - 1 ? `${line}}` : undefined;
  } catch {
    return undefined;
  }
}

function encodeAny(event: object): EncodedEvent {
  const fields = fieldsOf(event);
  // The braces, the commas and the names with their colons.
  let overhead = 1 + Math.max(fields.length, 1);
  for (const { key } of fields) overhead += utf8Length(key);
  let bytes = overhead + sizeOf(fields);
  if (bytes > maxBatchBytes - lineEndBytes) {
    fit(fields, maxBatchBytes - lineEndBytes - overhead);
    bytes = overhead + sizeOf(fields);
  }
  return {
    line: `{${fields.map(({ key, written }) => key + written.json).join(',')}}`,
    bytes,
    cut: fields.flatMap(({ name, written }) => (written.cut ? [name] : [])),
  };
}

function sizeOf(fields: readonly Field[]): number {
  let bytes = 0;
  for (const { written } of fields) bytes += written.bytes;
  return bytes;
}

/**
 * Puts encoded events into batches of at most {@link maxBatchEvents} and {@link maxBatchBytes}, in their order.
 */
export function* batchesOf(events: Iterable<EncodedEvent>): Generator<Batch, void, undefined> {
  let batch: Batch = { body: '', bytes: 0, events: 0 };
  for (const { line, bytes } of events) {
    if (batch.events === maxBatchEvents || (batch.events > 0 && batch.bytes + bytes + lineEndBytes > maxBatchBytes)) {
      yield batch;
      batch = { body: '', bytes: 0, events: 0 };
    }
    batch = { body: `${batch.body}${line}\n`, bytes: batch.bytes + bytes + lineEndBytes, events: batch.events + 1 };
  }
  if (batch.events > 0) yield batch;
}

function fieldsOf(event: unknown): Field[] {
  let names: string[] = [];
  try {
    names = Object.keys(event as object).slice(0, maxFields);
  } catch {
    // No object: the line is an empty one, which the service refuses.
  }
  const fields: Field[] = [];
  for (const name of names) {
    const value = readField(event, name);
    const written = writeJson(value, maxPayloadBytes);
    if (written) fields.push({ name, key: keyOf(name).key, value, written });
  }
  return fields;
}

/** A name as JSON with its colon, and the same after a comma. */
interface Key {
  key: string;
  nextKey: string;
}

/** Of the fields that events have. */
const keys = new Map<string, Key>();

function keyOf(name: string): Key {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = `${jsonString(name, maxNameBytes).json}:`;
  const made = { key, nextKey: `,${key}` };
  if (keys.size < maxFields) keys.set(name, made);
  return made;
}

/** Fields that take any value; the others are texts, numbers and the like. */
export const payloads: ReadonlySet<string> = new Set(['input', 'output', 'metadata', 'promptVariables', 'attributes']);

function readField(event: unknown, name: string): unknown {
  try {
    const value = (event as Record<string, unknown>)[name];
    if (payloads.has(name)) return value;
    if (name !== 'usage' || typeof value !== 'object' || value === null) return isSendable(value) ? value : undefined;
    return Object.fromEntries(Object.entries(value).filter(([, count]) => isSendable(count)));
  } catch (error) {
    return error;
  }
}

/** NaN is left out of numeric fields: as a text it would make the service refuse the event. */
function isSendable(value: unknown): boolean {
  return typeof value !== 'number' || Number.isFinite(value);
}

/** Cuts the largest fields alike until all of them together take no more than so many bytes. */
function fit(fields: readonly Field[], maxBytes: number): void {
  let room = maxBytes;
  const ascending = [...fields].sort((left, right) => left.written.bytes - right.written.bytes);
  for (const [index, field] of ascending.entries()) {
    const share = Math.floor(room / (ascending.length - index));
    if (field.written.bytes > share) field.written = writeJson(field.value, share) ?? field.written;
    room -= field.written.bytes;
  }
}
