import { z } from 'zod';
import { errorBody, oneLine, pageQuery, timestamp, uuid } from './common.ts';

const longestUrl = 2_048;
const longestKey = 512;

const name = oneLine(200);
const model = oneLine(256).describe('the default model');

const baseUrl = z
  .string()
  .trim()
  .max(longestUrl)
  .refine(isBaseUrl, 'must be a URL that starts with http:// or https://, without user name, password, query or fragment')
  .describe('an OpenAI-compatible API; /chat/completions is added to it, for example https://api.openai.com/v1');

/** Sent in an `Authorization` header without encoding. */
const apiKey = z
  .string()
  .min(1)
  .max(longestKey)
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without blanks')
  .nullable()
  .describe('kept encrypted and never returned; null: none');

function isBaseUrl(text: string): boolean {
  // A parsed URL does not show an empty user name, query or fragment.
  return URL.canParse(text) && /^https?:\/\/[^/@\\]+(?:\/|$)/i.test(text) && !/[?#\s\\\p{Cc}\p{Cs}]/u.test(text);
}

export const modelConnectionBody = z.strictObject({ name, baseUrl, model, apiKey: apiKey.optional() });
export type ModelConnectionBody = z.output<typeof modelConnectionBody>;

export const modelConnectionChange = z.strictObject({
  name: name.optional(),
  baseUrl: baseUrl.optional(),
  model: model.optional(),
  apiKey: apiKey.optional().describe('omitted: the key is kept, unless baseUrl changes; null: it is removed'),
});
export type ModelConnectionChange = z.output<typeof modelConnectionChange>;

export const modelConnection = z.object({
  id: uuid,
  name: z.string(),
  baseUrl: z.string(),
  model: z.string(),
  hasKey: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type ModelConnectionRecord = z.output<typeof modelConnection>;

/** What can use a model connection. Guardrails and scenarios name it; evaluators refer to its id. */
export const connectionUse = z.object({
  kind: z.enum(['guardrail', 'evaluator', 'scenario']),
  id: uuid,
  name: z.string().describe('of a guardrail or evaluator: its slug'),
});
export type ConnectionUse = z.output<typeof connectionUse>;

/** The body of `connection_in_use`, and of a taken name. */
export const connectionConflict = errorBody.extend({
  usedBy: z.array(connectionUse).optional().describe('what uses the connection, by kind and name; at most 200 of each kind'),
});

export const modelConnectionPage = z.object({
  modelConnections: z.array(modelConnection).describe('oldest first'),
  nextCursor: z.string().nullable(),
});

export const modelConnectionsParams = z.object({ id: z.string() });
export const modelConnectionParams = z.object({ id: z.string(), connectionId: z.string() });
export const listModelConnectionsQuery = pageQuery;
export type ListModelConnectionsQuery = z.output<typeof pageQuery>;
