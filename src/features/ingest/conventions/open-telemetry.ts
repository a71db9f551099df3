import { label } from '../otlp/attribute-readers.ts';
import type { Convention } from '../otlp/convention.ts';

/** OpenTelemetry's general conventions, on the span or its resource. */
export const convention: Convention = {
  name: 'open-telemetry',
  fields: {
    sessionId: { 'session.id': label },
    userId: { 'user.id': label, 'enduser.id': label },
    errorCode: { 'error.type': label, 'http.response.status_code': label },
    environment: { 'deployment.environment.name': label, 'deployment.environment': label },
    release: { 'service.version': label },
    service: { 'service.name': label },
  },
};
