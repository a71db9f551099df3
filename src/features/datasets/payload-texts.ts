import { ServiceError } from '../../contract/errors.ts';
import { parseExactly } from './stored-json.ts';
import type { JsonText } from './tables.ts';

/** The free-form fields of an item or a run item in a request, as stored JSON text. */
export type PayloadTexts = Readonly<Partial<Record<PayloadField, JsonText>>>;

type PayloadField = 'input' | 'expectedOutput' | 'output' | 'metadata';

/** A request body without its free-form fields. */
export interface ItemsRequest {
  /** The body with `null` in place of each payload and `{}` in place of metadata. */
  body: unknown;
  /** The fields by index in `items`; a body without `items` has one entry. */
  payloads: PayloadTexts[];
}

const anyJson = ['input', 'expectedOutput', 'output'] as const;

/**
 * Parses the JSON body of a route that accepts items, and converts each free-form field to its stored text. The rest of the body is small, so it can
 * be passed between threads.
 *
 * Errors: `invalid_request` for bytes that are not UTF-8 or not JSON, and for JSON that nests deeper than 110 levels.
 */
export function readItemsRequest(bytes: Uint8Array): ItemsRequest {
  const body = parseBody(bytes);
  if (!isObject(body)) return { body, payloads: [] };
  if (!Array.isArray(body['items'])) return { body, payloads: [takePayloads(body)] };
  return { body, payloads: body['items'].map((item) => (isObject(item) ? takePayloads(item) : {})) };
}

/**
 * The JSON of a body, with numbers as they were sent.
 *
 * Errors: as {@link readItemsRequest}.
 */
export function parseBody(bytes: Uint8Array): unknown {
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
  if (isObject(item['metadata'])) {
    texts.metadata = JSON.stringify(item['metadata']);
    item['metadata'] = {};
  }
  return texts;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
