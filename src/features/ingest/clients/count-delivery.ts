import type { FastifyRequest } from 'fastify';
import { keyOf } from '../../../platform/http/index.ts';
import type { ScopeCounts } from '../../otlp/index.ts';
import type { ClientDelivery } from './client-delivery.ts';
import { scopeText } from './scope-text.ts';
import { senderOf } from './sender.ts';

/** What became of the events of a request. */
export interface Delivered {
  accepted: number;
  rejected: ReadonlyArray<{ count: number; code: string }>;
  /** Of a decoded OTLP request, whose spans are all rejected with one code. */
  scopes?: readonly ScopeCounts[];
}

/** Counts the events of a request for its client; a request without events counts as seen. */
export function countDelivery(
  clients: Pick<ClientDelivery, 'add'>,
  request: FastifyRequest,
  { accepted, rejected, scopes = [] }: Delivered,
): void {
  const { projectId } = keyOf(request);
  const sender = senderOf(request.headers, request.routeOptions.url === '/v1/traces' ? 'otlp' : 'http');
  const code = rejected[0]?.code ?? '';
  if (sender.kind === 'otlp' && scopes.length > 0) {
    for (const one of scopes) {
      const scope = scopeText(one);
      clients.add(projectId, sender, { count: one.accepted, code: '', scope });
      if (one.rejected > 0) clients.add(projectId, sender, { count: one.rejected, code, scope });
    }
    return;
  }
  clients.add(projectId, sender, { count: accepted, code: '' });
  for (const { count, ...reason } of rejected) if (count > 0) clients.add(projectId, sender, { count, ...reason });
}
