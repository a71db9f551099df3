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

/** A target, and whether its input and output are read too. */
export interface WantedSubject {
  target: Target;
  payloads: boolean;
}

/**
 * Reads the subjects of targets of one project, in the order of `wanted`. Data beyond the retention edge is left out. Subjects without payloads
 * have neither input nor output, and are not left out for their size.
 */
export async function readSubjects(
  context: Reading,
  projectId: string,
  { plan }: Pick<EvaluatedProject, 'plan'>,
  wanted: readonly WantedSubject[],
): Promise<Evaluated[]> {
  const reader = context.clickhouse.forTenant({ projectId, oldestMs: retentionCutoff(plan, context.clock.now()) });
  const read = async (type: Target['type'], payloads: boolean, targets: readonly Target[]): Promise<Evaluated[]> => {
    if (type === 'span') return readSpanSubjects(reader, targets, payloads);
    if (type === 'trace') return readTraceSubjects(reader, targets, payloads);
    if (type === 'run_item') return readRunItems(context, reader, projectId, targets, payloads);
    const sessions: Evaluated[] = [];
    for (const { sessionId } of targets) sessions.push(await readSessionSubject(reader, sessionId, payloads));
    return sessions;
  };
  const evaluated: Evaluated[] = [];
  const alike = Map.groupBy([...wanted.entries()], ([, { target, payloads }]) => `${target.type} ${payloads}`);
  for (const group of alike.values()) {
    const targets = group.map(([, { target }]) => target);
    const [[, first] = []] = group;
    if (!first) continue;
    const subjects = await read(first.target.type, first.payloads, targets);
    for (const [index, [place]] of group.entries())
      evaluated[place] = subjects[index] ?? { nothing: 'there is nothing to evaluate' };
  }
  return evaluated;
}

async function readRunItems(
  { runItems }: Reading,
  reader: TenantReader,
  projectId: string,
  targets: readonly Target[],
  payloads: boolean,
): Promise<Evaluated[]> {
  const read = await runItems.read(
    targets.map(({ runItemId }) => runItemId),
    payloads,
  );
  const items = new Map(read.filter((item) => item.projectId === projectId).map((item) => [item.id, item]));
  const traceIds = [...new Set([...items.values()].flatMap((item) => (needsTrace(item, payloads) ? [item.traceId] : [])))];
  const traces = await readTraceSubjects(reader, traceIds.map(traceTarget), payloads);
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
function needsTrace(item: RunItem, payloads: boolean): item is RunItem & { traceId: string } {
  const lacksOutput = payloads && item.output === undefined;
  return item.traceId !== null && (lacksOutput || item.latencyMs === null || item.costUsd === null);
}

function completed(own: Subject, trace: Subject): Subject {
  return {
    ...own,
    output: own.output === undefined ? trace.output : own.output,
    latencyMs: own.latencyMs ?? trace.latencyMs,
    costUsd: own.costUsd ?? trace.costUsd,
  };
}
