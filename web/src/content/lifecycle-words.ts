import type { LifecycleBand } from '../api/parts.ts';
import type { Finding } from '../api/service.ts';
import type { Tone } from '../design/badge.tsx';
import { formatUtcDate } from '../format/time-format.ts';
import { dayMs } from '../../../src/contract/durations.ts';

type Dates = Pick<Finding, 'retiresOn' | 'daysRemaining' | 'band'>;

/** The bands, the nearest first. */
export const bands = [0, 7, 30, 90] as const satisfies readonly LifecycleBand[];

export const bandTitles: Readonly<Record<LifecycleBand, string>> = {
  0: 'Retired',
  7: 'Within 7 days',
  30: 'Within 30 days',
  90: 'Within 90 days',
};

export const bandTones: Readonly<Record<LifecycleBand, Tone>> = { 0: 'bad', 7: 'bad', 30: 'warn', 90: 'neutral' };

const days = (count: number) => `${count} day${count === 1 ? '' : 's'}`;

/** How far a retirement is: `in 24 days`, `today`, `3 days ago`. */
export function daysLabel(daysRemaining: number): string {
  if (daysRemaining === 0) return 'today';
  return daysRemaining > 0 ? `in ${days(daysRemaining)}` : `${days(-daysRemaining)} ago`;
}

/** A retirement in a few words, for a badge: `retires in 24 days`, `retired 3 days ago`. */
export function retirementLabel({ daysRemaining }: Pick<Finding, 'daysRemaining'>): string {
  return `${daysRemaining < 0 ? 'retired' : 'retires'} ${daysLabel(daysRemaining)}`;
}

/** What dismissing a finding means (docs/semantics.md, "Model lifecycle"). */
export function dismissalMeaning({ band, retiresOn }: Dates): string {
  const nearer = bands.findLast((one) => one < band);
  if (nearer === undefined) return 'The retirement has passed, so the finding stays hidden.';
  const at = new Date(Date.parse(`${retiresOn}T00:00:00Z`) - nearer * dayMs).toISOString().slice(0, 10);
  const until = nearer === 0 ? 'the day of the retirement' : `${nearer} days remain`;
  return `Hidden until ${until} (${formatUtcDate(at)}). It is then raised again.`;
}

/** The finding of a model that is nearest, of several providers; null without one. */
export function nearestFinding(findings: readonly Finding[], model: string): Finding | null {
  const own = findings.filter((finding) => finding.model === model);
  return own.toSorted((left, right) => left.daysRemaining - right.daysRemaining)[0] ?? null;
}
