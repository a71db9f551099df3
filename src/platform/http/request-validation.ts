import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import type { ErrorDetail } from '../../contract/errors.ts';
import { validationMessage } from './validation-message.ts';

/** Most problems that one answer lists. */
const mostDetails = 20;

/** A part of a request that its schema refuses. */
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
 * Validates requests with zod. A body that was not sent is no body: Fastify asks about `null` then, which would refuse an optional
 * one.
 */
export const validateRequest: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data: unknown) => {
    const given = httpPart === 'body' && data === null ? undefined : data;
    const result = schema.safeParse(given, { error: validationMessage });
    return result.success ? { value: result.data } : { error: new RequestInvalid(detailsOf(result.error)) };
  };
};

/** What is wrong, a problem a field, as callers are told. */
export function detailsOf(error: z.ZodError): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const issue of error.issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    if (keys.length === 0) details.push({ path: pointer(issue.path), message: issue.message });
    else
      details.push(...keys.slice(0, mostDetails).map((key) => ({ path: pointer([...issue.path, key]), message: issue.message })));
    if (details.length >= mostDetails) break;
  }
  return details.slice(0, mostDetails);
}

/** RFC 6901. */
function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
