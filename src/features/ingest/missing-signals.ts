import { METHODS } from 'node:http';
import { errorBody } from '../../contract/common.ts';
import type { Server } from '../../platform/http/index.ts';
import { notImplemented } from './accept.ts';

/** Those that an OpenAPI document can have; each is an operation of its own there. */
const described = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** 501 for the OTLP signals that are not there, with any method (docs/semantics.md, "OTLP requests"). */
export function missingSignals(app: Server): void {
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  const others = app.supportedMethods.filter((method) => !described.includes(method));
  for (const url of ['/v1/metrics', '/v1/logs']) {
    for (const method of [...described, others]) {
      app.route({
        method,
        url,
        exposeHeadRoute: false,
        config: { access: { who: 'public' }, uncounted: true },
        schema: {
          hide: method === others,
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
