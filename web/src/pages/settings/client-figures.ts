import type { IngestClient } from '../../api/service.ts';
import { formatExact } from '../../format/number-format.ts';

export const kindNames: Readonly<Record<IngestClient['kind'], string>> = { sdk: 'SDK', otlp: 'OTLP', http: 'HTTP' };

type Reason = IngestClient['reasons'][number];

/** A text for each reason, the reason alone where there is one: `3 invalid_request`. */
export function reasonTexts(reasons: readonly Reason[]): string[] {
  return reasons.map(({ code, count }) => (reasons.length === 1 ? code : `${formatExact(count)} ${code}`));
}

const dropNames: ReadonlyArray<readonly [keyof IngestClient['dropped'], string]> = [
  ['queue_full', 'queue full'],
  ['too_old', 'too old'],
  ['refused', 'refused'],
];

/** The events that an SDK client dropped, with the reasons that occurred. */
export function droppedOf({ dropped }: Pick<IngestClient, 'dropped'>): { total: number; reasons: Reason[] } {
  const reasons = dropNames.flatMap(([name, code]) => (dropped[name] > 0 ? [{ code, count: dropped[name] }] : []));
  return { total: reasons.reduce((sum, { count }) => sum + count, 0), reasons };
}
