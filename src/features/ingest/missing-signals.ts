import { METHODS } from 'node:http';
import { errorBody } from '../../contract/common.ts';
import type { Server } from '../../platform/http/index.ts';
import { notImplemented } from './accept.ts';

/** The methods of an OpenAPI 3.1 document. */
const described = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/** 501 for the OTLP signals that are not there, with any method (docs/semantics.md, "OTLP requests"). */
export function missingSignals(app: Server): void {
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  for (const url of ['/v1/metrics', '/v1/logs']) {
    for (const method of app.supportedMethods) {
      app.route({
        method,
        url,
        exposeHeadRoute: false,
        config: { access: { who: 'public' } },
        schema: {
          hide: !described.has(method),
          tags: ['ingestion'],
          summary: 'An OTLP signal that is not implemented',
          response: { 501: errorBody },
        },
        // Before the body is read: its type and size do not matter.
        onRequest: (_request, _reply, next) => {
          void next;
          notImplemented();
        },
        handler: notImplemented,
      });
    }
  }
}
