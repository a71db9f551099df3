import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { errorStatuses } from '../../src/contract/errors.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import type { RawAnswer, RawRequest } from './raw-request.ts';
import type { JsonSchema } from './value-of-schema.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema?: JsonSchema;
}

/** An operation of the OpenAPI document. */
export interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  body: JsonSchema | null;
  /** Whether a user may call it with a personal token: otherwise with a session alone. */
  takesTokens: boolean;
  responses: Record<string, { content?: Record<string, { schema?: JsonSchema }> }>;
}

const ajv = new Ajv2020({ strict: false });
// The types of ajv-formats do not show that its default export is callable.
(ajvFormats as unknown as (instance: Ajv2020) => void)(ajv);
const validators = new Map<JsonSchema, ValidateFunction>();

/** Describes what is wrong with an answer; null when it is valid for the operation. */
export function faultOf(operation: Operation, request: RawRequest, answer: RawAnswer): string | null {
  const { status, headers, body } = answer;
  const text = body.toString();
  const type = String(headers['content-type'] ?? '').split(';', 1)[0] ?? '';
  if (!/^[\w.-]{1,128}$/.test(String(headers['x-request-id'] ?? ''))) return `${status} without x-request-id`;
  if (status === 501 && /^\/v1\/(metrics|logs)$/.test(operation.path)) return null;
  if (status >= 500) return `${status}: ${text}`;
  if (headers['x-injected'] !== undefined) return 'a header of the request was injected into the response';
  if (request.method === 'HEAD') return null;
  if (operation.responses[status] === undefined) return `${status} is not documented: ${text.slice(0, 300)}`;
  if (status >= 400) return errorFault(status, type, body);
  if (status === 304 || status === 204) return body.length === 0 ? null : `${status} with a body`;
  return answerFault(operation, status, type, text);
}

function errorFault(status: number, type: string, body: Buffer): string | null {
  // Errors of an OTLP request in protobuf are google.rpc.Status, whose first field is the code.
  if (type === 'application/x-protobuf') return body[0] === 0x08 ? null : `${status} is no google.rpc.Status`;
  if (type !== 'application/json') return `${status} is ${type}, not JSON`;
  const { error, code } = parsed(body.toString()) as { error?: unknown; code?: unknown };
  if (typeof error !== 'string' || error.length === 0) return `${status} without a sentence: ${body.toString()}`;
  return errorStatuses[code as ErrorCode] === status ? null : `${status} with code ${String(code)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}

function answerFault({ responses }: Operation, status: number, type: string, text: string): string | null {
  const content = responses[String(status)]?.content;
  if (!responses[String(status)]) return `${status} is not in the document`;
  const schema = content?.[type]?.schema;
  if (!content || type === 'application/x-protobuf') return null;
  if (!schema) return `${status} is ${type}, which is not in the document`;
  if (type !== 'application/json') return null;
  let validate = validators.get(schema);
  if (!validate) validators.set(schema, (validate = ajv.compile(schema)));
  return validate(parsed(text))
    ? null
    : `${status} does not fit its schema: ${ajv.errorsText(validate.errors)}: ${text.slice(0, 500)}`;
}
