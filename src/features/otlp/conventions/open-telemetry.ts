import { label, labelOf } from '../mapping/attribute-readers.ts';
import { findValue } from '../wire/attribute.ts';
import type { Convention, Reader } from '../mapping/convention.ts';

/** A status message often starts with the HTTP status: `429 Rate limit reached`. */
const leadingStatus: Reader<string> = (_value, span) => /^[1-5]\d\d(?!\d)/.exec(span.span?.statusMessage ?? '')?.[0];

/** Reads an attribute of the first exception event. */
function ofException(name: string): Reader<string> {
  return (_value, span) => {
    const exception = span.span?.events.find((event) => event.name === 'exception');
    if (exception === undefined) return undefined;
    span.noteEvent(exception);
    return labelOf(findValue(exception.attributes, name));
  };
}

/** OpenTelemetry's general conventions, on the span or its resource, and the span's status. */
export const convention: Convention = {
  name: 'otel',
  fields: {
    sessionId: { 'session.id': label },
    userId: { 'user.id': label, 'enduser.id': label },
    failed: { '(status)': (_value, span) => (span.span?.statusCode === 2 ? true : undefined) },
    errorCode: {
      'error.type': label,
      'http.response.status_code': label,
      '(status)': leadingStatus,
      '(events)': ofException('exception.type'),
    },
    errorMessage: {
      '(status)': (_value, span) => span.span?.statusMessage || undefined,
      '(events)': ofException('exception.message'),
    },
    environment: { 'deployment.environment.name': label, 'deployment.environment': label },
    release: { 'service.version': label },
    service: { 'service.name': label },
  },
};
