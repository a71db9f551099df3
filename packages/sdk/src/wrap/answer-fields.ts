import { textOf } from './read-fields.ts';
import type { Loose } from './read-fields.ts';

/** A number of tokens. The service refuses a span with any other number. */
export function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** The id of an answer, and why each of its parts ended, as OpenTelemetry names them. */
export function answerAttributes(answer: Loose, reasons: readonly unknown[]): Loose {
  return { 'gen_ai.response.id': textOf(answer['id']), 'gen_ai.response.finish_reasons': reasons };
}
