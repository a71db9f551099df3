import type { Evaluator } from '../api/service.ts';

/** The lowest and the highest score. */
export type Scale = readonly [low: number, high: number];

/** The scale that an evaluator is configured with, such as that of a judge; null without one. */
export function configuredScale(evaluator: Pick<Evaluator, 'config'> | undefined): Scale | null {
  const scale = evaluator?.config['scale'];
  return Array.isArray(scale) ? [Number(scale[0]), Number(scale[1])] : null;
}
