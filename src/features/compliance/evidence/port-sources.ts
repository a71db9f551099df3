import type { GuardrailActivity } from '../../../contract/guardrails.ts';
import { retentionCutoff } from '../../../contract/plans.ts';
import type { EvidencePorts, PackScope, PortSource } from './evidence-source.ts';

type Activity = GuardrailActivity & { reported: Awaited<ReturnType<EvidencePorts['reportedOf']>> };

/** The activity of guardrails in the part of the range that is retained; null where nothing is. */
async function activityIn(ports: EvidencePorts, scope: PackScope): Promise<Activity | null> {
  if (scope.toMs < retentionCutoff(scope.plan, scope.nowMs)) return null;
  const range = { from: new Date(scope.fromMs).toISOString(), to: new Date(scope.toMs).toISOString() };
  return { ...(await ports.activityOf(scope, range)), reported: await ports.reportedOf(scope, range) };
}

/** Figures from ClickHouse as evidence. */
export const portSources = {
  guardrail_days: {
    from: 'port',
    covers: 'retained',
    order: 'day',
    description:
      'Texts that guardrails checked on each UTC day, and how many were flagged, redacted or blocked. Those in checksReportedByApiKey were counted by applications. Does not show texts that were never sent to be checked.',
    read: async (ports, scope) => {
      const activity = await activityIn(ports, scope);
      const reported = (day: string) => activity?.reported.byDay.get(day) ?? 0;
      return activity?.timeline.map((row) => ({ ...row, checksReportedByApiKey: reported(row.day) })) ?? [];
    },
  },
  guardrail_results: {
    from: 'port',
    covers: 'retained',
    order: 'guardrail',
    description:
      'The results of each guardrail over the range: checks, and how many flagged, redacted, blocked or failed. Those in checksReportedByApiKey were counted by applications. Does not show what they missed.',
    read: async (ports, scope) => {
      const activity = await activityIn(ports, scope);
      const reported = (guardrail: string) => activity?.reported.byGuardrail.get(guardrail) ?? 0;
      return (
        activity?.byGuardrail.map(({ p95LatencyMs: _latency, ...counts }) => ({
          ...counts,
          checksReportedByApiKey: reported(counts.guardrail),
        })) ?? []
      );
    },
  },
  models_called: {
    from: 'port',
    covers: 'retained',
    order: 'calls descending, model, provider',
    description:
      'The models and providers that the recorded calls name, with calls and cost in USD. Does not show contracts with the providers, nor calls that were not recorded.',
    read: async ({ calledModels }, scope) => {
      const called = await calledModels(scope, scope.fromMs, scope.toMs + 1);
      return called.map(({ model, provider, calls, cost, lastMs }) => ({
        model: model.toWellFormed(),
        provider: provider === '' ? null : provider.toWellFormed(),
        calls: Number(calls),
        costUsd: cost,
        lastCalledAt: new Date(Number(lastMs)).toISOString(),
      }));
    },
  },
} as const satisfies Record<string, PortSource>;
