import { maxPackRangeMs } from '../../../contract/evidence-packs.ts';
import type { PackBody } from '../../../contract/evidence-packs.ts';
import { invalidRange } from '../../../contract/time-range.ts';
import type { AuditTimes } from '../../audit/index.ts';

/**
 * The range of a pack, inclusive to the millisecond.
 *
 * Errors: `invalid_request` for `to` in the future, `from` not before `to` or before 1970, and more than 366 days.
 */
export function packRange({ from, to }: Pick<PackBody, 'from' | 'to'>, nowMs: number): AuditTimes {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  if (toMs > nowMs)
    throw invalidRange(
      'Send a to that is not in the future: a pack tells what has happened.',
      '/to',
      'must not be in the future',
    );
  if (fromMs >= toMs) throw invalidRange('Send a from that is before to.', '/from', 'must be before to');
  if (fromMs < 0) throw invalidRange('Send a from of 1970 or later.', '/from', 'must not be before 1970');
  if (toMs - fromMs > maxPackRangeMs)
    throw invalidRange(
      'Send from and to at most 366 days apart, and make several packs of a longer time.',
      '/from',
      'must be at most 366 days before to',
    );
  return { fromMs, toMs };
}
