import jstat from 'jstat';
import { wilsonInterval } from '../../../platform/statistics/index.ts';

/** A difference, second minus first, with its 95 % interval. */
export interface Interval {
  delta: number;
  ciLow: number;
  ciHigh: number;
}

/** The part of a mean that rounding may change. */
const rounding = 1e-12;

/**
 * The difference of two proportions with the interval of Newcombe's method 10 (R. G. Newcombe, Statistics in Medicine 17, 1998, 873-890),
 * which combines the Wilson intervals of both. Both totals are positive.
 */
export function proportionDifference(before: { hits: number; total: number }, after: { hits: number; total: number }): Interval {
  const [first, second] = [wilson(before), wilson(after)];
  const delta = second.share - first.share;
  return {
    delta,
    ciLow: delta - Math.hypot(second.share - second.low, first.high - first.share),
    ciHigh: delta + Math.hypot(second.high - second.share, first.share - first.low),
  };
}

function wilson(of: { hits: number; total: number }): { share: number; low: number; high: number } {
  return { share: of.hits / of.total, ...wilsonInterval(of) };
}

export interface Sample {
  count: number;
  mean: number;
  /** With the divisor n - 1; of at least 2 values. */
  variance: number;
}

/**
 * The difference of two means with Welch's interval (B. L. Welch, Biometrika 34, 1947, 28-35). Both samples have at least 2 values. Means that differ in
 * their last digits alone are equal: such a difference comes from rounding.
 */
export function meanDifference(before: Sample, after: Sample): Interval {
  const difference = after.mean - before.mean;
  const delta = Math.abs(difference) <= rounding * Math.max(Math.abs(before.mean), Math.abs(after.mean)) ? 0 : difference;
  const [first, second] = [before.variance / before.count, after.variance / after.count];
  const squares = first + second;
  if (!(squares > 0)) return { delta, ciLow: delta, ciHigh: delta };
  const freedom = squares ** 2 / (first ** 2 / (before.count - 1) + second ** 2 / (after.count - 1));
  const half = jstat.studentt.inv(0.975, freedom) * Math.sqrt(squares);
  return { delta, ciLow: delta - half, ciHigh: delta + half };
}
