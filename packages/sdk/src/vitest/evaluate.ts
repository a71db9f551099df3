import { Spanwise } from '../client.ts';
import { maxPayloadBytes } from '../batch.ts';
import { messageOf } from '../message-of.ts';
import type { Trace } from '../tracing/span.ts';
import { writeJson } from '../write-json.ts';
import { connect } from './connection.ts';
import type { Connection, ConnectionOptions } from './connection.ts';
import { findDataset, itemsOf } from './dataset-items.ts';
import type { DatasetItem } from './dataset-items.ts';
import { requireNames, scoreItem, summaryOf } from './score-item.ts';
import type { Evaluator, ItemScore, ItemToScore, ScoreSummary } from './score-item.ts';

export type { Evaluator, EvaluatorScore, ItemScore, ItemToScore, ScoreSummary } from './score-item.ts';

export interface EvaluateOptions extends ConnectionOptions {
  /** Name of the run. Default: `evaluate` with the time. */
  name?: string | undefined;
  metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Items that are worked on at a time. Default: 4. */
  concurrency?: number | undefined;
  /** The client whose spans belong to the traces of the items. Default: one of its own. */
  spanwise?: Spanwise | undefined;
}

export interface EvaluatedItem {
  datasetItemId: string;
  traceId: string;
  input: unknown;
  expectedOutput: unknown;
  output: unknown;
  /** What the task threw; null if it did not. */
  error: string | null;
  latencyMs: number;
  scores: ItemScore[];
}

export interface Evaluation {
  datasetId: string;
  runId: string;
  name: string;
  /** In the order of the dataset. */
  items: EvaluatedItem[];
  /** By the name of the evaluator. */
  scores: Record<string, ScoreSummary>;
  /** Share of the items whose task threw, 0..1. */
  errorRate: number;
}

/** Items of a request. */
const itemsAtOnce = 50;
/** Milliseconds for the traces to be sent, before the results that name them. */
const flushMs = 60_000;
/** Characters of an error. */
const maxError = 2_000;

/**
 * Runs a task over the items of a dataset, scores what it returns, and stores both as a dataset run: each item is a trace with its scores. A task or an
 * evaluator that throws is an error of its item.
 *
 * @param dataset its name or its id
 * @param evaluators functions, which are named, or objects with a name
 *
 * Errors: those of the service, such as a dataset that there is not; TypeError for the name of an evaluator.
 */
export async function evaluate<Input = unknown, Output = unknown>(
  dataset: string,
  task: (input: Input, item: DatasetItem, trace: Trace) => Output | Promise<Output>,
  evaluators: ReadonlyArray<Evaluator<Input, Awaited<Output>>>,
  options: EvaluateOptions = {},
): Promise<Evaluation> {
  requireNames(evaluators.map(({ name: one }) => one));
  const connection = connect(options);
  const spanwise = options.spanwise ?? new Spanwise(options);
  const { id: datasetId } = await findDataset(connection, dataset);
  const items = await itemsOf(connection, datasetId);
  const name = options.name ?? `evaluate ${new Date().toISOString()}`;
  const { metadata = {}, concurrency = 4 } = options;
  const runs = `/v1/datasets/${datasetId}/runs`;
  const { body: run } = await connection.send<{ id: string }>('POST', runs, { name, metadata });
  const evaluated: EvaluatedItem[] = [];
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) {
      evaluated[index] = await evaluateItem(spanwise, item, { task, evaluators, run: { id: run.id, name } });
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  await spanwise.flush({ timeoutMs: flushMs });
  await storeItems(connection, `${runs}/${run.id}/items`, evaluated);
  const scores = summaryOf(evaluated.flatMap((item) => item.scores));
  const failed = evaluated.filter(({ error }) => error !== null).length;
  return { datasetId, runId: run.id, name, items: evaluated, scores, errorRate: failed / Math.max(1, evaluated.length) };
}

interface Work<Input, Output> {
  task: (input: Input, item: DatasetItem, trace: Trace) => Output | Promise<Output>;
  evaluators: ReadonlyArray<Evaluator<Input, Awaited<Output>>>;
  run: { id: string; name: string };
}

async function evaluateItem<Input, Output>(
  spanwise: Spanwise,
  item: DatasetItem,
  { task, evaluators, run }: Work<Input, Output>,
): Promise<EvaluatedItem> {
  const { id, input, expectedOutput, metadata } = item;
  const trace = spanwise.trace({
    name: run.name,
    tags: ['evaluation'],
    metadata: { datasetItemId: id, datasetRunId: run.id },
    input,
  });
  trace.update({ attributes: { 'spanwise.source': 'evaluation' } });
  const { traceId } = trace;
  const began = performance.now();
  let error: string | null = null;
  let output: Awaited<Output> | null = null;
  try {
    output = await spanwise.within(trace, () => task(input as Input, item, trace));
  } catch (thrown) {
    error = errorOf(thrown);
  }
  const latencyMs = performance.now() - began;
  trace.update(error === null ? { output } : { status: 'error', errorMessage: error });
  trace.end();
  const toScore: ItemToScore<Input, Awaited<Output>> = {
    input: input as Input,
    output: output as Awaited<Output>,
    expectedOutput,
    metadata,
  };
  const scores = error === null ? await Promise.all(evaluators.map((evaluator) => scoreItem(evaluator, toScore))) : [];
  for (const { evaluator, score, passed, comment } of scores) {
    if (score === null) continue;
    spanwise.score({ traceId, evaluator, score, passed, comment });
  }
  return { datasetItemId: id, traceId, input, expectedOutput, output, error, latencyMs, scores };
}

async function storeItems(connection: Connection, path: string, items: readonly EvaluatedItem[]): Promise<void> {
  for (let at = 0; at < items.length; at += itemsAtOnce) {
    const stored = items.slice(at, at + itemsAtOnce).map(({ datasetItemId, traceId, output, latencyMs, error }) => ({
      datasetItemId,
      traceId,
      // What JSON has no form for becomes something readable, as in the trace.
      output: JSON.parse(writeJson(output, maxPayloadBytes / 2)?.json ?? 'null') as unknown,
      latencyMs,
      error: error ?? false,
    }));
    await connection.send('POST', path, { items: stored });
  }
}

function errorOf(thrown: unknown): string {
  const message = messageOf(thrown);
  return (message === '' ? 'The task threw.' : message).slice(0, maxError);
}
