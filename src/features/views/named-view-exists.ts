import type { FastifyRequest } from 'fastify';
import { actingOf } from '../../platform/http/index.ts';
import type { Views } from './open.ts';

/** `resourceIfInvalid` of a route that takes `view`: an unknown one is told before what else is wrong. */
export function namedViewExists({ requireView }: Pick<Views, 'requireView'>): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const { view } = request.query as { view?: unknown };
    if (typeof view === 'string' && view !== '') await requireView(actingOf(request), view);
  };
}
