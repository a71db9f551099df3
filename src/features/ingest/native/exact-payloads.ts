import type { IngestEvent } from '../../../contract/ingest.ts';
import { parseKeepingNumbers } from '../../../platform/json/index.ts';

const freeForm = ['input', 'output', 'metadata', 'attributes'] as const;

/**
 * The event with numbers of its free-form fields that JavaScript cannot represent, such as an id of 19 digits, as the client wrote them.
 *
 * @param line the event's text
 * @param parsed the result of `JSON.parse` for the line
 */
export function withExactPayloads<T extends IngestEvent>(event: T, line: string, parsed: object): T {
  const exact = parseKeepingNumbers(line, parsed) as Record<string, unknown>;
  if (exact === parsed) return event;
  const payloads = freeForm.filter((field) => Object.hasOwn(event, field)).map((field) => [field, exact[field]]);
  return { ...event, ...Object.fromEntries(payloads) };
}
