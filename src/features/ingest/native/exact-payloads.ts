import type { IngestEvent } from '../../../contract/ingest.ts';

/** A number that JavaScript may not hold as it was written; found inside strings too, which costs time alone. */
const longNumber = /\d{16}|\d[eE]\+?\d{3}/;

/** Not in TypeScript's library yet: a value that JSON.stringify writes as the given text. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

const freeForm = ['input', 'output', 'metadata', 'attributes'] as const;

/**
 * The event with the numbers of its free-form fields as they were sent, where JavaScript would change them (an id of 19 digits, say):
 * they are written again as the client wrote them.
 */
export function withExactPayloads<T extends IngestEvent>(event: T, line: string): T {
  if (!longNumber.test(line)) return event;
  const exact = JSON.parse(line, keepDigits) as Record<string, unknown>;
  const payloads = freeForm.filter((field) => Object.hasOwn(event, field)).map((field) => [field, exact[field]]);
  return { ...event, ...Object.fromEntries(payloads) };
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined || String(value) === context.source) return value;
  return rawJSON(context.source);
}
