import { maxItems } from '../../contract/datasets.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isRecord, ordinaryNumber } from '../../platform/json/index.ts';
import { parseExactly } from './stored-json.ts';
import type { JsonText } from './tables.ts';

/** The free-form fields of an item or a run item in a request, as stored JSON text. */
export type PayloadTexts = Readonly<Partial<Record<PayloadField, JsonText>>>;

type PayloadField = 'input' | 'expectedOutput' | 'output' | 'metadata';

/** A request body without its free-form fields. */
export interface ItemsRequest {
  /** The body with `null` in place of each payload and `{}` in place of metadata; {@link bounded}. */
  body: unknown;
  /** The fields by index in `items`; a body without `items` has one entry. */
  payloads: PayloadTexts[];
}

const anyJson = ['input', 'expectedOutput', 'output'] as const;

/**
 * Parses the JSON body of a route that accepts items, and converts each free-form field to its stored text. What is left of the body is
 * {@link bounded}, so that passing it between threads and checking it take little time.
 *
 * Errors: `invalid_request` for bytes that are not UTF-8 or not JSON, and for JSON that nests deeper than 110 levels.
 */
export function readItemsRequest(bytes: Uint8Array): ItemsRequest {
  const body = parseBody(bytes);
  if (!isRecord(body)) return { body: bounded(body), payloads: [] };
  if (!Array.isArray(body['items'])) {
    const payloads = [takePayloads(body)];
    return { body: bounded(body), payloads };
  }
  const items: unknown[] = body['items'].slice(0, maxItems + 1);
  const payloads = items.map((item) => (isRecord(item) ? takePayloads(item) : {}));
  return { body: { ...boundedObject(body, 1), items: items.map((item) => bounded(item, 2)) }, payloads };
}

/** Levels of a body outside of the payloads: the body, its items, an item, its source. */
const maxDepth = 4;
/** More than the fields of any object of such a body. */
const maxMembers = 32;

/**
 * The first members and levels of what is left of a body. The schema rejects a body with more: each object has known fields, and each array of them, except
 * for the items, fewer entries.
 */
function bounded(value: unknown, depth = 0): unknown {
  if (depth >= maxDepth && typeof value === 'object') return null;
  if (Array.isArray(value)) return value.slice(0, maxMembers).map((entry) => bounded(entry, depth + 1));
  return isRecord(value) ? boundedObject(value, depth + 1) : ordinaryNumber(value);
}

/** @param depth that of the members */
function boundedObject(value: Record<string, unknown>, depth: number): Record<string, unknown> {
  const kept: Array<[string, unknown]> = [];
  for (const name in value) if (kept.push([name, bounded(value[name], depth)]) === maxMembers) break;
  // Keeps a member named __proto__.
  return Object.fromEntries(kept);
}

/**
 * Parses the JSON body of a route that accepts fields. Numbers are kept as they were sent inside of fields; a field that is one is an ordinary
 * number, which the schema does not take for an object.
 *
 * Errors: as {@link readItemsRequest}.
 */
export function readFieldsRequest(bytes: Uint8Array): unknown {
  const body = parseBody(bytes);
  if (!isRecord(body)) return ordinaryNumber(body);
  for (const name in body) body[name] = ordinaryNumber(body[name]);
  return body;
}

function parseBody(bytes: Uint8Array): unknown {
  try {
    return parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('invalid_request', 'The body is not valid JSON; correct it and send it again.', { cause: error });
  }
}

function takePayloads(item: Record<string, unknown>): PayloadTexts {
  const texts: Partial<Record<PayloadField, JsonText>> = {};
  for (const field of anyJson) {
    if (!Object.hasOwn(item, field)) continue;
    texts[field] = JSON.stringify(item[field]);
    item[field] = null;
  }
  // Metadata of another type stays, for the schema to reject.
  if (isRecord(item['metadata'])) {
    texts.metadata = JSON.stringify(item['metadata']);
    item['metadata'] = {};
  }
  return texts;
}
