import { ServiceError } from '../../contract/errors.ts';
import { parseExactly } from './stored-json.ts';
import type { JsonText } from './tables.ts';

/** The free-form fields of an item or a run item that its request gives, as the JSON text that is stored. */
export type PayloadTexts = Readonly<Partial<Record<PayloadField, JsonText>>>;

type PayloadField = 'input' | 'expectedOutput' | 'output' | 'metadata';

/** A request body whose free-form fields have been taken out. */
export interface ItemsRequest {
  /** The body; `null` stands in place of each payload, `{}` in place of metadata. */
  body: unknown;
  /** By index in `items`; a body without `items` is the only entry. */
  payloads: PayloadTexts[];
}

const anyJson = ['input', 'expectedOutput', 'output'] as const;

/**
 * Parses the JSON body of a route that takes items, and turns each free-form field into the text that is stored. What is left of the body is
 * small, so that a body that is slow to parse can be parsed in another thread.
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
  // Metadata of another type stays, for the schema to refuse.
  if (isObject(item['metadata'])) {
    texts.metadata = JSON.stringify(item['metadata']);
    item['metadata'] = {};
  }
  return texts;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
