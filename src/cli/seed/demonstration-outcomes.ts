import type { OutcomeReport } from '../../contract/outcomes.ts';
import type { DemonstrationEvent } from './demonstration-traces.ts';
import type { Random } from './random.ts';
import { hourMs } from '../../contract/durations.ts';

/** An outcome, ready to be an entry of `POST /v1/ingest/outcomes`. */
export type DemonstrationOutcome = Pick<OutcomeReport, 'traceId' | 'kind'> & Partial<OutcomeReport>;

interface OutcomeProfile {
  kind: string;
  /** Share of the agent's traces that have one. */
  share: number;
  /** Share of successes where the trace did not fail. */
  successRate: number;
  /** Median value of a success; without it the outcome has no value. */
  value?: number;
}

/** What the traces of each agent lead to. */
const profiles: Readonly<Record<string, OutcomeProfile>> = {
  'support-triage': { kind: 'ticket.resolved', share: 0.7, successRate: 0.78 },
  'billing-resolver': { kind: 'plan.upgraded', share: 0.25, successRate: 0.4, value: 240 },
  'research-assistant': { kind: 'report.accepted', share: 0.35, successRate: 0.86 },
  'code-reviewer': { kind: 'change.merged', share: 0.5, successRate: 0.66 },
};

/** The outcomes of one trace: none or one, some hours after its start and before the end of the period. */
export function demonstrationOutcomes(
  events: readonly DemonstrationEvent[],
  random: Random,
  endMs: number,
): DemonstrationOutcome[] {
  const root = events.find(({ kind }) => kind === 'agent');
  const profile = profiles[String(root?.['agentName'])];
  if (!root || !profile || !random.chance(profile.share)) return [];
  const success = root['status'] === 'ok' && random.chance(profile.successRate);
  const occurredMs = Date.parse(String(root['startTime'])) + Math.round(random.spread(3 * hourMs, 0.8));
  const currency = random.chance(0.3) ? 'EUR' : 'USD';
  const value = Math.round(random.spread(profile.value ?? 0, 0.5));
  if (occurredMs > endMs) return [];
  const traceId = String(root['traceId']);
  return [
    {
      traceId,
      kind: profile.kind,
      success,
      occurredAt: new Date(occurredMs).toISOString(),
      idempotencyKey: `${profile.kind} ${traceId}`,
      ...(profile.value === undefined ? {} : { currency }),
      ...(success && value > 0 ? { value } : {}),
    },
  ];
}
