import { cutText } from '../../../platform/text/index.ts';
import type { SpanView } from '../readers/span-view.ts';
import type { OtlpSpan } from '../wire/model.ts';
import { fieldReader } from './field-reader.ts';

export interface SpanOutcome {
  status: '' | 'ok' | 'error';
  errorCode: string;
  errorMessage: string;
}

const maxMessageLength = 16_384;
const failed = fieldReader('failed');
const errorCode = fieldReader('errorCode');
const errorMessage = fieldReader('errorMessage');

/** Status, error code and message of a span: docs/semantics.md, "Span status and error codes". */
export function spanOutcome(span: OtlpSpan, view: SpanView): SpanOutcome {
  if (failed(view) !== true) return { status: span.statusCode === 1 ? 'ok' : '', errorCode: '', errorMessage: '' };
  const code = errorCode(view) ?? 'unknown';
  return {
    status: 'error',
    errorCode: code === 'error' ? 'unknown' : code,
    errorMessage: cutText(errorMessage(view) ?? '', maxMessageLength),
  };
}
