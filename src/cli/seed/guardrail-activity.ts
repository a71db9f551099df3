import { defaultActionOf } from '../../contract/guardrails.ts';
import type { GuardrailActivityRecord, GuardrailCounts } from '../../features/records/index.ts';
import { environmentNames, guardrails } from './governance-scenario.ts';
import type { DemonstrationGuardrail } from './governance-scenario.ts';
import { Random } from './random.ts';
import { hourMs } from '../../contract/durations.ts';

export interface ActivityOptions {
  seed: number;
  days: number;
  /** The activity ends here, epoch milliseconds. */
  endMs: number;
}

const stages = ['input', 'output'] as const;

/** Checks of guardrails for every hour, stage and environment of some days. The same options give the same records. */
export function* guardrailActivity({ seed, days, endMs }: ActivityOptions): Generator<GuardrailActivityRecord> {
  const random = new Random(seed);
  for (let atMs = endMs - days * 24 * hourMs; atMs < endMs; atMs += hourMs) {
    for (const name of environmentNames) {
      for (const stage of stages) yield hourOf(random, atMs, stage, name);
    }
  }
}

function hourOf(random: Random, atMs: number, stage: 'input' | 'output', environment: string): GuardrailActivityRecord {
  const checks = checksOf(random, atMs, environment);
  const counts = guardrails.filter((one) => runsAt(one, stage, environment)).map((one) => countsOf(random, one, checks));
  const sum = (field: 'flagged' | 'redacted' | 'blocked' | 'failed') => counts.reduce((total, one) => total + one[field], 0);
  // At these rates hardly any check triggers two guardrails.
  const blocked = Math.min(checks, sum('blocked'));
  const redacted = Math.min(checks - blocked, sum('redacted'));
  const flagged = Math.min(checks - blocked - redacted, sum('flagged'));
  return {
    activityId: `demonstration ${atMs} ${stage} ${environment}`,
    atMs: Math.floor(atMs + random.next() * hourMs),
    stage,
    environment,
    checks,
    flagged,
    redacted,
    blocked,
    failed: Math.min(checks, sum('failed')),
    guardrails: counts,
  };
}

/** Office hours are busier than nights, and weekends are quiet. */
function checksOf(random: Random, atMs: number, environment: string): number {
  const date = new Date(atMs);
  const hour = date.getUTCHours();
  const weekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
  const busy = (hour >= 7 && hour <= 18 ? 1 : 0.25) * (weekend ? 0.35 : 1) * (environment === 'production' ? 1 : 0.2);
  return Math.max(1, Math.round(random.spread(40, 0.3) * busy));
}

function runsAt({ body }: DemonstrationGuardrail, stage: string, environment: string): boolean {
  const named = body.environments === null || body.environments.includes(environment);
  return named && (body.stage === 'both' || body.stage === stage);
}

function countsOf(random: Random, guardrail: DemonstrationGuardrail, checks: number): GuardrailCounts {
  const { body, triggerRate, failureRate, latencyMs } = guardrail;
  const times = (probability: number) => Array.from({ length: checks }, () => random.chance(probability)).filter(Boolean).length;
  const triggered = times(triggerRate);
  const action = body.action ?? defaultActionOf(body.type);
  const of = (wanted: string) => (action === wanted ? triggered : 0);
  return {
    guardrail: body.slug,
    type: body.type,
    checks,
    flagged: of('flag'),
    redacted: of('redact'),
    blocked: of('block'),
    failed: times(failureRate),
    latencies: Array.from({ length: checks }, () => Math.round(random.spread(latencyMs, 0.5) * 64) / 64),
  };
}
