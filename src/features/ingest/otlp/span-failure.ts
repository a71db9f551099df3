import { findValue } from './attribute.ts';
import { cut, labelOf } from './attribute-readers.ts';
import { fieldReader } from './field-reader.ts';
import type { OtlpEvent, OtlpSpan } from './model.ts';
import type { SpanView } from './span-view.ts';

export interface SpanOutcome {
  status: '' | 'ok' | 'error';
  errorCode: string;
  errorMessage: string;
}

const longestMessage = 16_384;
const failed = fieldReader('failed');
const errorCode = fieldReader('errorCode');
const errorMessage = fieldReader('errorMessage');

/** How a span ended. An error that names no code at all is `unknown` (contract section 3). */
export function spanOutcome(span: OtlpSpan, view: SpanView): SpanOutcome {
  if (span.statusCode !== 2 && failed(view) !== true) {
    return { status: span.statusCode === 1 ? 'ok' : '', errorCode: '', errorMessage: '' };
  }
  const exception = span.events.find((event) => event.name === 'exception');
  const message = span.statusMessage || errorMessage(view) || eventLabel(exception, 'exception.message');
  const code = errorCode(view) ?? leadingStatus(span.statusMessage) ?? eventLabel(exception, 'exception.type');
  return {
    status: 'error',
    errorCode: code === '' || code === 'error' ? 'unknown' : code,
    errorMessage: cut(message, longestMessage),
  };
}

/** A status message often starts with the HTTP status: `429 Rate limit reached`. */
function leadingStatus(message: string): string | undefined {
  return /^[1-5]\d\d(?!\d)/.exec(message)?.[0];
}

function eventLabel(event: OtlpEvent | undefined, name: string): string {
  return labelOf(event === undefined ? undefined : findValue(event.attributes, name)) ?? '';
}
