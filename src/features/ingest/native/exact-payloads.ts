import type { IngestEvent } from '../../../contract/ingest.ts';
import { parseKeepingNumbers } from '../../../platform/json/index.ts';

const freeForm = ['input', 'output', 'metadata', 'attributes'] as const;

/**
 * The event with the numbers of its free-form fields as they were sent, where JavaScript would change them (an id of 19 digits, say):
 * they are written again as the client wrote them.
 *
 * @param line that the event came as
 * @param parsed what `JSON.parse` made of the line
 */
export function withExactPayloads<T extends IngestEvent>(event: T, line: string, parsed: object): T {
  const exact = parseKeepingNumbers(line, parsed) as Record<string, unknown>;
  if (exact === parsed) return event;
  const payloads = freeForm.filter((field) => Object.hasOwn(event, field)).map((field) => [field, exact[field]]);
  return { ...event, ...Object.fromEntries(payloads) };
}
