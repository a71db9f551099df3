import type { PolicyReplay } from '../../api/policies.ts';
import { countedExactly, formatExact } from '../../format/number-format.ts';

/** Choices of the replayed time, in hours; 0 for no replay. */
export const replayHours = [
  { value: '168', label: 'Last 7 days' },
  { value: '72', label: 'Last 3 days' },
  { value: '24', label: 'Last 24 hours' },
  { value: '0', label: 'No replay' },
] as const;
export type ReplayHours = (typeof replayHours)[number]['value'];

/** What the plan would have done to the replayed calls: `Would block 312 of 4,812 calls; 12 are blocked now.` */
export function replaySentence({ spans, totals }: PolicyReplay): string {
  if (spans === 0) return 'No model calls were recorded in this time.';
  const { blockedBefore, blockedAfter } = totals;
  const calls = `of ${countedExactly(spans, 'call')}`;
  if (blockedAfter === blockedBefore) {
    return blockedAfter === 0
      ? `Would block none ${calls}, as now.`
      : `Would block ${formatExact(blockedAfter)} ${calls}, as many as now.`;
  }
  const after = blockedAfter === 0 ? 'none' : formatExact(blockedAfter);
  return `Would block ${after} ${calls}; ${blockedBefore === 0 ? 'none' : formatExact(blockedBefore)} ${blockedBefore === 1 ? 'is' : 'are'} blocked now.`;
}

/** The guardrails whose figures differ, largest difference first, then the others by name. */
export function byDifference({ byGuardrail }: Pick<PolicyReplay, 'byGuardrail'>): PolicyReplay['byGuardrail'] {
  const size = (one: PolicyReplay['byGuardrail'][number]) =>
    Math.abs(one.blockedAfter - one.blockedBefore) + Math.abs(one.triggeredAfter - one.triggeredBefore);
  return byGuardrail.toSorted(
    (left, right) =>
      size(right) - size(left) || (left.guardrail < right.guardrail ? -1 : left.guardrail > right.guardrail ? 1 : 0),
  );
}
