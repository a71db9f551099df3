import { dayMs } from './durations.ts';

/** Plans with their retention in days and their monthly event quota (docs/semantics.md, "Plans"). */
export const plans = {
  free: { retentionDays: 14, monthlyEvents: 50_000 },
  pro: { retentionDays: 90, monthlyEvents: 1_000_000 },
  team: { retentionDays: 180, monthlyEvents: 10_000_000 },
  scale: { retentionDays: 365, monthlyEvents: 100_000_000 },
} as const;

export type Plan = keyof typeof plans;
export const planNames = Object.keys(plans) as [Plan, ...Plan[]];

/**
 * The oldest moment that a read shows under `plan`, in epoch milliseconds. An older record is excluded from
 * every read at once (docs/semantics.md, "Retention edge").
 */
export function retentionCutoff(plan: Plan, nowMs: number): number {
  return nowMs - plans[plan].retentionDays * dayMs;
}
