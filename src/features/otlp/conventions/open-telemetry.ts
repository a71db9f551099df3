import { label, labelOf } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { className } from '../readers/class-name.ts';
import { payload } from '../readers/payload-json.ts';
import type { SpanView } from '../readers/span-view.ts';
import { statusIn } from '../readers/status-in-text.ts';
import { findValue } from '../wire/attribute.ts';

/** Generic exception classes, which are no useful error code. */
const bareTypes: ReadonlySet<unknown> = new Set(['Error', 'Exception']);
const langfuseMessage = 'langfuse.observation.status_message';

/** Reads a type that is a number, else the status that the span's texts have, else the name of a class. */
const errorType: Reader<string> = (value, span) => {
  const type = labelOf(value);
  if (type === undefined || /^\d{3}$/.test(type)) return type;
  return statusInTexts(span) ?? (bareTypes.has(type) ? undefined : className(type));
};

function statusInTexts(span: SpanView): string | undefined {
  for (const text of [ofException('exception.message')('', span), span.span?.statusMessage, span.get(langfuseMessage)]) {
    const status = text === undefined ? undefined : statusIn(text, span);
    if (status !== undefined) return status;
  }
  return undefined;
}

/** Reads an HTTP status. One below 400 says nothing about a failure, such as one of a stream that broke off. */
const failedStatus: Reader<string> = (value, span) => (Number(value) < 400 ? undefined : label(value, span));

/** Reads an attribute of the first exception event. */
function ofException(name: string): Reader<string> {
  return (_value, span) => {
    const exception = span.span?.events.find((event) => event.name === 'exception');
    if (exception === undefined) return undefined;
    span.noteEvent(exception);
    return labelOf(findValue(exception.attributes, name));
  };
}

/** OpenTelemetry's general conventions, on the span or its resource, the span's status, and payloads named `input` and `output`. */
export const convention: Convention = {
  name: 'otel',
  fields: {
    sessionId: { 'session.id': label },
    userId: { 'user.id': label, 'enduser.id': label },
    failed: { '(status)': (_value, span) => (span.span?.statusCode === 2 ? true : undefined) },
    errorCode: {
      'error.type': errorType,
      'http.response.status_code': failedStatus,
      'http.status_code': failedStatus,
      'error.code': label,
      '(events)': (value, span) => statusIn(ofException('exception.message')(value, span) ?? '', span),
      '(status)': (_value, span) => statusIn(span.span?.statusMessage ?? '', span),
      '(exception)': (value, span) => className(ofException('exception.type')(value, span)),
    },
    errorMessage: {
      '(status)': (_value, span) => span.span?.statusMessage || undefined,
      '(events)': ofException('exception.message'),
    },
    input: { input: payload },
    output: { output: payload },
    environment: { 'deployment.environment.name': label, 'deployment.environment': label },
    release: { 'service.version': label },
    service: { 'service.name': label },
  },
};
