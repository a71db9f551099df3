import type { Overview } from '../../contract/models.ts';
import {
  averageLatency,
  codePoints,
  cost,
  failed,
  groups,
  missing,
  percentile,
  sum,
  meanQuality,
  measuringQuality,
} from './sums.oracle.ts';
import type { Call, Evaluation } from './sums.oracle.ts';

/** An oracle for docs/semantics.md, "Overview": computes it from the calls and evaluations in the range. */
export function overviewOf(calls: readonly Call[], evaluations: readonly Evaluation[]): Omit<Overview, 'unnamed'> {
  const models = costliest(calls, ({ span }) => span.model);
  const agents = costliest(
    calls.filter(({ agent }) => agent !== ''),
    ({ agent }) => agent,
  );
  const listed = new Set(models.slice(0, 20).map(([model]) => model));
  const scored = (of: readonly Evaluation[]) => ({
    ...scores(of),
    trend: groups(measuringQuality(of), ({ day }) => day)
      .toSorted(([left], [right]) => codePoints(left, right))
      .map(([day, group]) => ({
        day,
        eval_count: group.length,
        avg_score: meanQuality(group) ?? 0,
      })),
  });
  const together = (rest: ReadonlyArray<readonly [string, Call[]]>) => ({
    count: rest.length,
    ...series(rest.flatMap(([, of]) => of)),
  });
  const [otherModels, otherAgents] = [models.slice(20), agents.slice(20)];
  return {
    totals: {
      ...figures(calls),
      p50_latency: percentile(calls, 0.5),
      p95_latency: percentile(calls, 0.95),
      ...scores(evaluations),
      input_tokens: sum(calls, ({ span }) => span.inputTokens),
      output_tokens: sum(calls, ({ span }) => span.outputTokens),
      cached_tokens: sum(calls, ({ span }) => span.cachedTokens),
      models: models.length,
      agents: agents.length,
      timeline: latencies(calls),
    },
    models: models.slice(0, 20).map(([model, of]) => ({
      model,
      ...series(of),
      ...scored(evaluations.filter((evaluation) => evaluation.model === model)),
      p50_latency: percentile(of, 0.5),
      p95_latency: percentile(of, 0.95),
      timeline: latencies(of),
    })),
    other_models:
      otherModels.length === 0
        ? null
        : { ...together(otherModels), ...scored(evaluations.filter(({ model }) => !listed.has(model))) },
    agents: agents.slice(0, 20).map(([agent_name, of]) => ({ agent_name, ...series(of) })),
    other_agents: otherAgents.length === 0 ? null : together(otherAgents),
    unpriced: models
      .map(([model, of]) => ({ model, ...missing(of) }))
      .filter(({ unpriced_calls, partly_priced_calls }) => unpriced_calls + partly_priced_calls > 0)
      .toSorted(
        (left, right) =>
          right.unpriced_calls - left.unpriced_calls ||
          right.partly_priced_calls - left.partly_priced_calls ||
          codePoints(left.model, right.model),
      )
      .slice(0, 20),
  };
}

/** By cost descending, then calls descending, then name. Costs are rounded so that the order of summation does not decide. */
function costliest(calls: readonly Call[], of: (call: Call) => string) {
  return groups(calls, of).toSorted(
    ([left, ofLeft], [right, ofRight]) =>
      Number(cost(ofRight).toPrecision(12)) - Number(cost(ofLeft).toPrecision(12)) ||
      ofRight.length - ofLeft.length ||
      codePoints(left, right),
  );
}

function figures(calls: readonly Call[]) {
  return {
    calls: calls.length,
    ...missing(calls),
    cost: cost(calls),
    errors: failed(calls).length,
    error_rate: calls.length === 0 ? 0 : failed(calls).length / calls.length,
    avg_latency: averageLatency(calls),
  };
}

function days(calls: readonly Call[]) {
  return groups(calls, ({ day }) => day).toSorted(([left], [right]) => codePoints(left, right));
}

function latencies(calls: readonly Call[]) {
  return days(calls).map(([day, of]) => ({ day, ...figures(of), p95_latency: percentile(of, 0.95) }));
}

function series(calls: readonly Call[]) {
  return { ...figures(calls), timeline: days(calls).map(([day, of]) => ({ day, ...figures(of) })) };
}

function scores(evaluations: readonly Evaluation[]) {
  return { eval_count: measuringQuality(evaluations).length, avg_eval_score: meanQuality(evaluations) };
}
