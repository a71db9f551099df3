import { z } from 'zod';
import type { Readiness } from './readiness.ts';
import type { Server } from './server-type.ts';

const health = z.object({ status: z.string(), reasons: z.array(z.string()).optional() });

/** `GET /healthz` and `GET /readyz` (docs/semantics.md, "Health endpoints"). */
export function healthRoutes(app: Server, readiness: Readiness): void {
  app.get(
    '/healthz',
    {
      config: { access: { who: 'public' }, answersWhileDraining: true, uncounted: true },
      schema: { description: 'Whether the process is alive.', response: { 200: health } },
    },
    () => ({ status: 'ok' }),
  );
  app.get(
    '/readyz',
    {
      config: { access: { who: 'public' }, answersWhileDraining: true, uncounted: true },
      schema: { description: 'Whether the process accepts traffic.', response: { 200: health, 503: health } },
    },
    (_request, reply) => {
      const reasons = readiness.reasons();
      if (reasons.length === 0) return { status: 'ready' };
      reply.code(503);
      return { status: 'not ready', reasons };
    },
  );
}
