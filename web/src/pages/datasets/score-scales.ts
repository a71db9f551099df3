import type { ComparedItem } from '../../api/parts.ts';
import type { Evaluator } from '../../api/service.ts';
import { configuredScale } from '../../content/evaluator-scale.ts';
import type { Scale } from '../../content/evaluator-scale.ts';

export type { Scale } from '../../content/evaluator-scale.ts';

/**
 * The scale of each evaluator of a comparison: the configured one, or else 0 to 1, widened where a score lies outside.
 *
 * @param evaluators those of the project; scores of others have no configuration
 */
export function scoreScales(
  items: readonly ComparedItem[],
  evaluators: ReadonlyArray<Pick<Evaluator, 'slug' | 'config'>>,
): ReadonlyMap<string, Scale> {
  const scales = new Map<string, Scale>();
  for (const { evaluator, score } of items.flatMap(({ a, b }) => [...(a?.scores ?? []), ...(b?.scores ?? [])])) {
    const [low, high] = scales.get(evaluator) ?? configuredScale(evaluators.find(({ slug }) => slug === evaluator)) ?? [0, 1];
    scales.set(evaluator, [Math.min(low, score), Math.max(high, score)]);
  }
  return scales;
}
