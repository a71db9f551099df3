import { label, labelOf } from '../mapping/attribute-readers.ts';
import { findValue } from '../wire/attribute.ts';
import { leadingStatus } from '../mapping/leading-status.ts';
import { payload } from '../mapping/payload-json.ts';
import type { Convention, Reader } from '../mapping/convention.ts';

/** Generic exception classes, which are no useful error code. */
const bareTypes: ReadonlySet<unknown> = new Set(['Error', 'Exception']);
const errorType: Reader<string> = (value) => (bareTypes.has(value) ? undefined : labelOf(value));

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
      '(events)': (value, span) => leadingStatus(ofException('exception.message')(value, span) ?? '', span),
      '(status)': (_value, span) => leadingStatus(span.span?.statusMessage ?? '', span),
      '(exception)': ofException('exception.type'),
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
