import { retentionCutoff } from '../../../contract/plans.ts';
import type { TenantReader } from '../../../platform/clickhouse/index.ts';
import type { EvaluationContext, RunItem } from '../evaluation-context.ts';
import type { EvaluatedProject } from '../project-evaluators.ts';
import { traceTarget } from '../score-id.ts';
import type { Target } from '../score-id.ts';
import type { Subject } from '../types/evaluator-type.ts';
import type { Evaluated } from './evaluated.ts';
import { readSessionSubject } from './session-subject.ts';
import { readSpanSubjects } from './span-subjects.ts';
import { readTraceSubjects } from './trace-subjects.ts';

type Reading = Pick<EvaluationContext, 'clickhouse' | 'clock' | 'runItems'>;

/** Reads the subjects of targets of one project, in the order of the targets. Data beyond the retention edge is left out. */
export async function readSubjects(
  context: Reading,
  projectId: string,
  { plan }: Pick<EvaluatedProject, 'plan'>,
  targets: readonly Target[],
): Promise<Evaluated[]> {
  const reader = context.clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, context.clock.now()) });
  const evaluated: Evaluated[] = [];
  const places = Map.groupBy([...targets.keys()], (place) => targets[place]?.type);
  for (const [type, ofType] of places) {
    const targetsOfType = ofType.flatMap((place) => targets[place] ?? []);
    let read: Evaluated[] = [];
    if (type === 'span') read = await readSpanSubjects(reader, targetsOfType);
    else if (type === 'trace') read = await readTraceSubjects(reader, targetsOfType);
    else if (type === 'run_item') read = await readRunItems(context, reader, projectId, targetsOfType);
    else for (const { sessionId } of targetsOfType) read.push(await readSessionSubject(reader, sessionId));
    for (const [index, place] of ofType.entries()) evaluated[place] = read[index] ?? { nothing: 'there is nothing to evaluate' };
  }
  return evaluated;
}

async function readRunItems(
  { runItems }: Reading,
  reader: TenantReader,
  projectId: string,
  targets: readonly Target[],
): Promise<Evaluated[]> {
  const read = await runItems.read(targets.map(({ runItemId }) => runItemId));
  const items = new Map(read.filter((item) => item.projectId === projectId).map((item) => [item.id, item]));
  const traceIds = [...new Set([...items.values()].flatMap((item) => (needsTrace(item) ? [item.traceId] : [])))];
  const traces = await readTraceSubjects(reader, traceIds.map(traceTarget));
  const ofTrace = new Map(traceIds.map((traceId, place) => [traceId, traces[place]]));
  return targets.map(({ runItemId }) => {
    const item = items.get(runItemId);
    if (!item) return { nothing: 'the item of the run is no longer there' };
    const { input, output, expectedOutput, latencyMs, costUsd } = item;
    const trace = item.traceId === null ? undefined : ofTrace.get(item.traceId);
    const own: Subject = { input, output, expectedOutput, latencyMs, costUsd };
    if (trace && 'subject' in trace) return { subject: completed(own, trace.subject) };
    // Applications add the item at once; exporters send its trace seconds later.
    return { subject: own, ...(trace ? { awaits: 'the trace that the item names has not come, or has not ended' } : {}) };
  });
}

/** Whether a run item takes its output, duration or cost from its trace. */
function needsTrace(item: RunItem): item is RunItem & { traceId: string } {
  return item.traceId !== null && (item.output === undefined || item.latencyMs === null || item.costUsd === null);
}

function completed(own: Subject, trace: Subject): Subject {
  return {
    ...own,
    output: own.output === undefined ? trace.output : own.output,
    latencyMs: own.latencyMs ?? trace.latencyMs,
    costUsd: own.costUsd ?? trace.costUsd,
  };
}
