import type { Guardrail } from './guardrail.ts';

/** Compares guardrails by the order in which they run: by priority, then by slug. */
export function byRunningOrder(a: Guardrail, b: Guardrail): number {
  return a.priority - b.priority || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0);
}
