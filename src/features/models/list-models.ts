import type { ModelList, ModelQuery } from '../../contract/models.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { ratio } from '../../platform/statistics/index.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import { windowOf } from '../figures/index.ts';
import type { FiguresContext } from '../figures/index.ts';
import { FiguresStore } from './figures-store.ts';
import { summaryOf } from './summary.ts';

/** The models with calls over a range, sorted by cost, descending (docs/semantics.md, "Model list"). */
export async function listModels(context: FiguresContext, tenant: Tenant, query: ModelQuery): Promise<ModelList> {
  const window = windowOf(query, tenant.plan, context.clock.now());
  const figures = await FiguresStore.plan(context, tenant.projectId, window, query.environment);
  const [calls, percentiles, traces, quality, unnamed] = await Promise.all([
    figures.models(),
    figures.percentiles(null),
    figures.traces(null),
    figures.qualityTotals(),
    figures.unnamed(),
  ]);
  const models = calls.map((whole) => {
    const { model } = whole;
    const scores = quality.get(model);
    return {
      ...summaryOf(whole, {
        model,
        provider: whole.provider === '' ? null : whole.provider,
        agents: whole.agents,
        operations: whole.operations,
        traces: traces.get(model) ?? 0,
        percentiles: percentiles.get(model),
        project: { calls: whole.all_calls, cost: whole.all_cost },
      }),
      avg_eval_score: scores ? ratio(scores.quality_sum, scores.quality_evals, null) : null,
      eval_count: scores?.quality_evals ?? 0,
    };
  });
  return {
    models: models.toSorted((left, right) => right.total_cost - left.total_cost || compareCodePoints(left.model, right.model)),
    unnamed,
  };
}
