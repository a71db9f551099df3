import type { TestProject } from '../../../../test/support/test-projects.ts';
import type { Answer } from '../../../platform/http/http-service.fixture.ts';
import type { ScoreRecord, SpanRecord } from '../../records/index.ts';
import { emptyScore, emptySpan } from '../../records/records.fixture.ts';
import { nowMs, openTracesService } from '../traces-service.fixture.ts';
import type { TracesService } from '../traces-service.fixture.ts';
import type { OracleTrace } from './filter.oracle.ts';

const pick = <T>(values: readonly T[], index: number) => values[index % values.length] as T;

export const longOutput = JSON.stringify(`A "long" answer: ${'so it is. '.repeat(40)}`);

/** Traces of a root, a call and a tool in combinations of few values. Session, user, environment and tags are on the root alone. */
export const filterTraces: OracleTrace[] = Array.from({ length: 60 }, (_, index) => {
  const traceId = `trace-${index}`;
  const startNs = BigInt(nowMs - index * 3_600_000) * 1_000_000n;
  const span = (fields: Partial<SpanRecord>): SpanRecord => ({ ...emptySpan, traceId, ...fields });
  const hasFailed = index % 3 === 0;
  const root = span({
    spanId: `${traceId}-root`,
    name: pick(['answer', 'Answer', 'plan "b"'], index),
    kind: 'agent',
    agentName: pick(['support', 'research'], index >> 1),
    startNs,
    endNs: startNs + BigInt(1 + (index % 7)) * 1_000_000_000n,
    environment: pick(['prod', 'staging', ''], index >> 1),
    sessionId: pick(['', 's1', 's2'], index),
    userId: pick(['', 'ada', 'bo'], index >> 2),
    release: pick(['', 'r1'], index),
    tags: pick([[], ['a'], ['a', 'b']], index >> 1),
    metadata: JSON.stringify(
      pick<object>(
        [
          {},
          { tier: 3 },
          { tier: '3', 'a.b': { c: 'x' } },
          { tier: [1, 'gold'], deep: { n: 2.5 } },
          { tier: null },
          { tier: { n: 1 } },
        ],
        index,
      ),
    ),
    input: JSON.stringify(pick(['Refund please', 'a "quoted" line\nand another', 'Straße'], index)),
    output: longOutput,
    attributes: JSON.stringify({
      'gen_ai.request.top_p': pick([0.5, 1], index),
      'genkit:name': pick(['x', 'y'], index >> 1),
      // A copy of the output, which is stored once.
      ...pick<object>([{}, { said: JSON.parse(longOutput) as string }, { said: longOutput }, { said: [1, longOutput] }], index),
    }),
  });
  const call = span({
    spanId: `${traceId}-call`,
    parentSpanId: root.spanId,
    name: 'chat',
    kind: 'llm',
    model: pick(['m1', 'm2', 'm1-mini'], index),
    provider: pick(['openai', 'anthropic'], index),
    operation: 'chat',
    startNs: startNs + 1n,
    endNs: startNs + 1n + BigInt(index % 5) * 500_000_000n,
    inputTokens: index * 10,
    outputTokens: index % 4 === 0 ? null : index,
    costUsd: index % 5 === 0 ? null : index / 100,
    costStatus: index % 5 === 0 ? 'unpriced' : 'priced',
    timeToFirstTokenMs: index % 2 === 0 ? null : index,
    promptName: pick(['', 'greeting'], index),
    promptVersion: pick(['', '3'], index),
    output: JSON.stringify(pick(['Done', 'I cannot do that'], index)),
  });
  const tool = span({
    spanId: `${traceId}-tool`,
    parentSpanId: index % 4 === 3 ? call.spanId : root.spanId,
    name: pick(['search', 'lookup order'], index),
    kind: 'tool',
    toolName: pick(['', 'orders'], index >> 1),
    startNs: startNs + 2n,
    endNs: startNs + 3n,
    ...(hasFailed
      ? { status: 'error' as const, errorCode: pick(['timeout', '500'], index), errorMessage: 'It took too long.' }
      : {}),
  });
  const score = (fields: Partial<ScoreRecord>): ScoreRecord => ({ ...emptyScore, traceId, timestampMs: nowMs, ...fields });
  const scores = [
    ...(index % 4 === 1
      ? [score({ scoreId: `${traceId}-t`, evaluator: 'My Metric', score: index / 60, passed: index % 8 === 1 })]
      : []),
    ...(index % 4 === 2
      ? [
          score({
            scoreId: `${traceId}-s`,
            spanId: call.spanId,
            evaluator: 'tone',
            score: 1,
            label: pick(['kind', 'rude'], index >> 2),
          }),
        ]
      : []),
  ];
  const commented = pick([[], [''], [call.spanId], [], ['', call.spanId, call.spanId]], index);
  return { traceId, spans: [root, call, tool], scores, commented };
});

/** A service with a project of {@link filterTraces}. */
export interface FilledService {
  service: TracesService;
  project: TestProject;
  /** A GET of a path of the project. */
  request(path: string, parameters: Record<string, string>): Promise<Answer>;
}

export async function openFilledService(): Promise<FilledService> {
  const service = await openTracesService();
  const project = service.project();
  await service.store(project, {
    spans: filterTraces.flatMap(({ spans }) => spans),
    scores: filterTraces.flatMap(({ scores }) => scores),
  });
  const rows = filterTraces.flatMap(({ traceId, commented, spans: [root] }, index) => [
    ...commented.map((spanId, place) => [traceId, `comment-${place}`, spanId, 1]),
    // One that was deleted.
    ...(index % 2 === 0 ? [1, 2].map((version) => [traceId, 'gone', root?.spanId, version]) : []),
  ]);
  const column = (place: number) => rows.map((row) => row[place]);
  await service.clickhouse.command(
    `INSERT INTO comments (project_id, trace_id, comment_id, span_id, version, is_deleted, start_time)
     SELECT {project:UUID}, row.1, row.2, row.3, row.4, row.4 = 2, fromUnixTimestamp64Milli({now:Int64})
     FROM (SELECT arrayJoin(arrayZip({traces:Array(String)}, {ids:Array(String)}, {spans:Array(String)}, {versions:Array(UInt64)})) AS row)`,
    { project: project.projectId, now: nowMs, traces: column(0), ids: column(1), spans: column(2), versions: column(3) },
  );
  return {
    service,
    project,
    request: (path, parameters) => service.request(project, `/${path}?${new URLSearchParams(parameters)}`),
  };
}
