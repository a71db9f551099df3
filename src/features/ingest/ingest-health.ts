import { retentionCutoff } from '../../contract/plans.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { IngestContext } from './ingest-context.ts';

/** A span within this time, in milliseconds, counts as arriving data (docs/semantics.md, "Ingest health"). */
const healthyMs = 15 * 60_000;

/** Whether spans arrive in a project, and how much of its organization's quota is used. */
export async function healthOf(context: IngestContext, tenant: Tenant) {
  const { projectId, organizationId, plan } = tenant;
  const now = context.clock.now();
  const [recent, quota, clients, search] = await Promise.all([
    context.usage.recentEvents(projectId, now),
    context.quota.state(organizationId, plan),
    context.clients.list(projectId),
    context.searchProgress(projectId),
  ]);
  const remembered = context.pipeline.lastActivity(projectId);
  const pendingEvents = context.pipeline.pendingEvents(projectId);
  const oldest = retentionCutoff(plan, now);
  const lastEventMs = Math.max(recent.lastEventMs, remembered.eventMs);
  const lastSpanMs = Math.max(recent.lastSpanMs, remembered.spanMs);
  return {
    status: lastSpanMs <= oldest ? ('never' as const) : now - lastSpanMs <= healthyMs ? ('healthy' as const) : ('stale' as const),
    lastEventAt: lastEventMs <= oldest ? null : new Date(lastEventMs).toISOString(),
    lastSpanAt: lastSpanMs <= oldest ? null : new Date(lastSpanMs).toISOString(),
    // Pending events were received a moment ago.
    eventsLastHour: recent.lastHour + pendingEvents,
    eventsLastDay: recent.lastDay + pendingEvents,
    rejectedLastHour: context.rejections.lastHour(projectId),
    latestRejections: context.rejections
      .latest(projectId)
      .map(({ atMs, ...reason }) => ({ at: new Date(atMs).toISOString(), ...reason })),
    pendingEvents,
    pendingMs: context.pipeline.pendingMs(projectId),
    search,
    clients,
    quota: { used: quota.used, limit: quota.limit, resetsAt: new Date(quota.resetsAtMs).toISOString() },
  };
}
