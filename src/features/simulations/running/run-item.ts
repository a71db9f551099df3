import { setTimeout as wait } from 'node:timers/promises';
import { decimalOf } from '../../../platform/json/index.ts';
import { NetError } from '../../../platform/net/index.ts';
import { EvaluationError } from '../../evaluation/index.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { exact } from '../targets/equal-json.ts';
import { askHttpTarget } from '../targets/http-target.ts';
import type { TargetAnswer } from '../targets/http-target.ts';
import { ItemError } from '../targets/item-error.ts';
import { askPromptTarget } from '../targets/prompt-target.ts';
import type { PendingItem } from './item-feed.ts';
import type { ItemResult } from './item-result.ts';
import { spansOf } from './item-trace.ts';
import type { PreparedRun } from './prepare-run.ts';

const delay = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal });

/**
 * Sends an item to the run's target.
 *
 * @returns its answer or error, without evaluation; null when the signal aborted before there was one
 */
export async function sendItem(
  context: SimulationsContext,
  run: PreparedRun,
  item: PendingItem,
  signal: AbortSignal,
): Promise<ItemResult | null> {
  const startMs = context.clock.now();
  const started = performance.now();
  const sent = await ask(context, run, item, signal).catch((error: unknown) => {
    if (error instanceof ItemError) return error;
    if (signal.aborted || (error instanceof NetError && error.kind === 'aborted')) return null;
    throw error;
  });
  if (sent === null || signal.aborted) return null;
  const elapsedMs = performance.now() - started;
  const failed = sent instanceof ItemError;
  const answer = failed ? null : sent;
  const error = failed ? sent.message : null;
  const { latencyMs } = sent;
  const spans = spansOf(run, { item, startMs, answer, durationMs: latencyMs ?? elapsedMs, error });
  return {
    item,
    status: failed ? 'error' : 'pending',
    answer: {
      output: answer?.output.json ?? null,
      latencyMs,
      costUsd: answer?.costUsd ?? null,
      // A span without a model is no call: there was no answer.
      costStatus: spans.find(({ kind, model }) => kind === 'llm' && model !== '')?.costStatus ?? null,
      spans,
    },
    error,
    errorKind: failed ? 'target' : null,
    referenceMatch: null,
    scores: [],
  };
}

function ask(context: SimulationsContext, run: PreparedRun, item: PendingItem, signal: AbortSignal): Promise<TargetAnswer> {
  const { target, prompt, connection } = run;
  const contents = { input: exact(item.input), metadata: exact(item.metadata) };
  if (target.type === 'http')
    return askHttpTarget({ ...context, delay, projectId: run.projectId }, target, run.secrets, contents, signal);
  if (!prompt || !connection) throw new Error('the run was prepared without its prompt');
  return askPromptTarget(context.models, { target, prompt, connection }, contents.input, signal);
}

/** The output as JSON, and its figures. */
interface Answered {
  output: string;
  latencyMs: number | null;
  costUsd: number | null;
}

/**
 * Compares an output with the reference and runs the evaluators (docs/semantics.md, "Items of a batch run").
 *
 * @param answered of {@link sendItem}, or as it was recorded: an item that is resumed gets the same results
 * Errors: of the database.
 */
export async function evaluateItem(
  { outputs, outputReader }: Pick<SimulationsContext, 'outputs' | 'outputReader'>,
  run: PreparedRun,
  item: PendingItem,
  answered: Answered,
  signal: AbortSignal,
): Promise<Pick<ItemResult, 'status' | 'error' | 'errorKind' | 'referenceMatch' | 'scores'>> {
  const matched = await matchOf({ outputs, outputReader }, run, answered.output, item.expectedOutput);
  const { scores, error: failed } =
    run.evaluatorIds.length === 0
      ? { scores: [], error: null }
      : await outputs.evaluate(run.projectId, run.evaluatorIds, subjectOf(item, answered), signal);
  const error = matched.error ?? failed;
  const passed = matched.match !== false && scores.every((score) => score.passed !== false);
  return {
    status: error !== null ? 'error' : passed ? 'passed' : 'failed',
    error,
    errorKind: error === null ? null : 'evaluator',
    referenceMatch: matched.match,
    scores,
  };
}

/** What evaluators see of an item. */
function subjectOf({ input, expectedOutput }: PendingItem, { output, latencyMs, costUsd }: Answered) {
  return {
    input: JSON.parse(input) as unknown,
    output: JSON.parse(output) as unknown,
    expectedOutput: expectedOutput === null ? undefined : (JSON.parse(expectedOutput) as unknown),
    latencyMs,
    costUsd,
  };
}

/** A value; a number that a double does not hold, such as 1e400, as it is written. */
function comparable(json: string): unknown {
  const value = JSON.parse(json) as unknown;
  return typeof value !== 'number' || decimalOf(json) === decimalOf(String(value)) ? value : json;
}

async function matchOf(
  { outputs, outputReader }: Pick<SimulationsContext, 'outputs' | 'outputReader'>,
  { projectId, referenceMatch }: PreparedRun,
  output: string,
  expectedOutput: string | null,
): Promise<{ match: boolean | null; error: string | null }> {
  if (referenceMatch === null || expectedOutput === null) return { match: null, error: null };
  if (referenceMatch === 'exact') return { match: await outputReader.areEqual(output, expectedOutput), error: null };
  try {
    return { match: await outputs.fuzzyMatches(projectId, comparable(output), comparable(expectedOutput)), error: null };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { match: null, error: `The comparison with the expected output failed: ${error.message}` };
  }
}
