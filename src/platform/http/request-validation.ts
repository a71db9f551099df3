import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import type { ErrorDetail } from '../../contract/errors.ts';
import { jsonPointer } from '../json/index.ts';
import { cutText } from '../text/index.ts';
import { validationMessage } from './validation-message.ts';

/** Maximum problems in one answer. */
const maxDetails = 20;
/** Characters of the name of an unknown field. */
const longestName = 200;

/** A part of a request that does not match its schema. */
export class RequestInvalid extends Error {
  readonly details: readonly ErrorDetail[];
  /** Set by Fastify: `body`, `querystring`, `params` or `headers`. */
  validationContext: string | undefined;

  constructor(details: readonly ErrorDetail[]) {
    super('the request does not fit its schema');
    this.details = details;
  }
}

/**
 * Validates requests with zod. Fastify passes `null` for an absent body; it is validated as undefined, which an optional body accepts.
 */
export const validateRequest: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data: unknown) => {
    const given = httpPart === 'body' && data === null ? undefined : data;
    const result = schema.safeParse(given, { error: validationMessage });
    return result.success ? { value: result.data } : { error: new RequestInvalid(detailsOf(result.error)) };
  };
};

/**
 * Validates a value that is not a part of an HTTP request, such as the arguments of a tool.
 *
 * @param part what the sentence of the error calls the value
 *
 * Errors: {@link RequestInvalid}.
 */
export function validated<Schema extends z.ZodType>(schema: Schema, value: unknown, part: string): z.output<Schema> {
  const result = schema.safeParse(value, { error: validationMessage });
  if (result.success) return result.data;
  const error = new RequestInvalid(detailsOf(result.error));
  error.validationContext = part;
  throw error;
}

/** A session may name its project in any body; the access check reads it there. */
const noFields = z.strictObject({ projectId: z.unknown().optional() });

/**
 * Refuses the fields of a JSON body that a route does not declare (docs/semantics.md, "Request bodies"). Bytes and streams are left to the
 * route that asked for them.
 *
 * Errors: {@link RequestInvalid}.
 */
export function refuseFields(body: unknown): void {
  if (body === undefined || body === null) return;
  const isOfJson = typeof body !== 'object' || Array.isArray(body) || Object.getPrototypeOf(body) === Object.prototype;
  if (isOfJson) validated(noFields, body, 'body');
}

/** The problems of a zod error, one per field, as they are sent. */
export function detailsOf(error: z.ZodError): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const issue of error.issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    if (keys.length === 0) details.push({ path: jsonPointer(issue.path), message: issue.message });
    else
      details.push(
        ...keys
          .slice(0, maxDetails)
          .map((key) => ({ path: jsonPointer([...issue.path, cutText(key, longestName, '…')]), message: issue.message })),
      );
    if (details.length >= maxDetails) break;
  }
  return details.slice(0, maxDetails);
}
