import { cut } from './attribute-readers.ts';
import { fieldReader } from './field-reader.ts';
import type { OtlpSpan } from './model.ts';
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
  if (failed(view) !== true) return { status: span.statusCode === 1 ? 'ok' : '', errorCode: '', errorMessage: '' };
  const code = errorCode(view) ?? 'unknown';
  return {
    status: 'error',
    errorCode: code === 'error' ? 'unknown' : code,
    errorMessage: cut(errorMessage(view) ?? '', longestMessage),
  };
}
