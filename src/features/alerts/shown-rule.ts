import type { FastifyRequest } from 'fastify';
import type { AlertRule } from '../../contract/alerts.ts';
import type { Delivery } from '../../contract/notifications.ts';
import { roleHas } from '../../contract/permissions.ts';
import { actingOf, administers } from '../../platform/http/index.ts';
import type { RuleAuthor } from './alerts-context.ts';

/** The author of a rule; on routes for sessions and tokens. */
export function authorOf(request: FastifyRequest): RuleAuthor {
  return { ...actingOf(request), administers: administers(request) };
}

/**
 * A rule as the caller may see it. URLs of webhooks are often secrets: an API key and who lacks `alerts:manage` see the origin alone (docs/semantics.md, "Alert
 * rules").
 */
export function shownRule(request: FastifyRequest, rule: AlertRule): AlertRule {
  if (managesAlerts(request)) return rule;
  const channels = rule.channels.map((one) => (one.type === 'webhook' ? { ...one, url: originOf(one.url) } : one));
  return { ...rule, channels };
}

/** A delivery as the caller may see it: its URL as in {@link shownRule}, and the text of the receiver's answers for owners and admins alone. */
export function shownDelivery(request: FastifyRequest, delivery: Delivery): Delivery {
  const { channel, attempts } = delivery;
  const url = channel.url === undefined || managesAlerts(request) ? {} : { url: originOf(channel.url) };
  return {
    ...delivery,
    channel: { ...channel, ...url },
    attempts: administers(request) ? attempts : attempts.map(withoutAnswer),
  };
}

function withoutAnswer(attempt: Delivery['attempts'][number]): Delivery['attempts'][number] {
  const { statusCode, error } = attempt;
  if (statusCode === null || error === null || statusCode < 400 || statusCode === 410) return attempt;
  return { ...attempt, error: `The receiver answered ${statusCode}.` };
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? '';
}

/** Not by an API key, which has no role. */
function managesAlerts({ access: { role } }: FastifyRequest): boolean {
  return role !== null && roleHas(role, 'alerts:manage');
}
