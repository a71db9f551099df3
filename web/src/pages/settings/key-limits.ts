import { dayMs } from '../../../../src/contract/durations.ts';
import type { ApiKeyScope } from '../../../../src/contract/key-scopes.ts';

/** What each scope of an API key permits, in the words of the form. */
const texts: Readonly<Record<ApiKeyScope, string>> = {
  ingest: 'Send traces, outcomes and changes',
  read: 'Read traces, datasets, evaluations and prompts',
  'prompts:read': 'Read prompts',
  'prompts:write': 'Change prompts',
  'datasets:write': 'Change datasets and runs',
  'scores:write': 'Record scores',
  'guardrails:check': 'Check guardrails',
  'simulations:run': 'Run simulations',
  'admin-read': 'Read alerts, incidents, guardrails and environments',
};

export const scopeOptions = Object.entries(texts).map(([value, text]) => ({ value, label: `${value}: ${text}` }));

const days = { '7': 7, '30': 30, '90': 90, '365': 365 } as const;

/** When a key expires: never, as before, or after a number of days. */
export type Life = 'never' | 'kept' | keyof typeof days;

/** The choices of a new key, or of one that expires already. */
export function lifeOptions(expires: boolean): ReadonlyArray<{ value: Life; label: string }> {
  return [
    ...(expires ? [{ value: 'kept' as const, label: 'As before' }] : []),
    { value: 'never', label: 'No expiry' },
    ...(Object.keys(days) as Array<keyof typeof days>).map((value) => ({ value, label: `${value} days` })),
  ];
}

/** The field `expiresAt` of a request; none where it stays. @param now epoch milliseconds */
export function expiryOf(life: Life, now: number): { expiresAt?: string | null } {
  if (life === 'kept') return {};
  return { expiresAt: life === 'never' ? null : new Date(now + days[life] * dayMs).toISOString() };
}
