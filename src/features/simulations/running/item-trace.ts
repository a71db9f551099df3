import { hash } from 'node:crypto';
import { simulationMark } from '../../../contract/kinds.ts';
import type { HttpTarget } from '../../../contract/simulations.ts';
import { blankSpan } from '../../records/index.ts';
import type { SpanRecord } from '../../records/index.ts';
import type { TargetAnswer } from '../targets/http-target.ts';
import type { PendingItem } from './item-feed.ts';
import type { PreparedRun } from './prepare-run.ts';

const maxPreview = 10_000;

/** The trace id of an item: the same when the item is sent again, which then replaces the trace. */
export function traceIdOf(runId: string, { place, repetition }: Pick<PendingItem, 'place' | 'repetition'>): string {
  return hash('sha256', `spanwise/simulation/${runId}/${place}/${repetition}`).slice(0, 32);
}

/** What happened to an item that was sent. */
export interface SentItem {
  item: PendingItem;
  /** When it was sent, epoch milliseconds. */
  startMs: number;
  /** null: no usable answer. */
  answer: TargetAnswer | null;
  /** Its latency; without an answer the time until it was given up. */
  durationMs: number;
  error: string | null;
}

/** The spans of an item: one for the item, with the HTTP request that it was, or with the call of the model below it (docs/semantics.md, "Traces of simulations"). */
export function spansOf(run: PreparedRun, { item, startMs, answer, durationMs, error }: SentItem): SpanRecord[] {
  const traceId = traceIdOf(run.id, item);
  const rootId = traceId.slice(0, 16);
  const startNs = BigInt(Math.round(startMs)) * 1_000_000n;
  const endNs = startNs + BigInt(Math.round(durationMs * 1e6));
  const common: SpanRecord = {
    ...blankSpan,
    traceId,
    startNs,
    endNs,
    status: error === null ? 'ok' : 'error',
    errorCode: error === null ? '' : 'target',
    errorMessage: error ?? '',
    origin: 'simulation',
    agentName: simulationMark,
    environment: simulationMark,
    tags: [simulationMark],
  };
  const output = answer === null ? '' : payloadOf(answer.output);
  const { datasetItemId, repetition } = item;
  const metadata = { batchRunId: run.id, scenarioId: run.scenarioId, datasetItemId, repetition, label: run.label };
  const root: SpanRecord = {
    ...common,
    spanId: rootId,
    name: run.scenarioName,
    kind: 'chain',
    input: item.input,
    output,
    metadata: JSON.stringify(metadata),
  };
  if (run.target.type === 'http') return [{ ...root, attributes: requestAttributes(run.target) }];
  return [root, { ...common, spanId: traceId.slice(16), parentSpanId: rootId, ...callFields(run, answer, output) }];
}

function payloadOf({ json, isDeep }: TargetAnswer['output']): string {
  return isDeep ? JSON.stringify(json.slice(0, maxPreview)) : json;
}

const knownAttributes = new WeakMap<HttpTarget, string>();

/** The same for all items of a target. Without the query, which may hold secrets. */
function requestAttributes(target: HttpTarget): string {
  let attributes = knownAttributes.get(target);
  if (attributes === undefined) {
    const { origin, pathname } = new URL(target.url);
    attributes = JSON.stringify({ 'http.request.method': target.method, 'url.full': `${origin}${pathname}` });
    knownAttributes.set(target, attributes);
  }
  return attributes;
}

function callFields(run: PreparedRun, answer: TargetAnswer | null, output: string): Partial<SpanRecord> {
  const { target, prompt } = run;
  if (target.type !== 'prompt') return {};
  const fields: Partial<SpanRecord> = {
    name: target.promptName,
    kind: 'llm',
    operation: 'chat',
    requestModel: target.model ?? prompt?.asks.model ?? '',
    promptName: target.promptName,
    promptVersion: String(prompt?.version ?? ''),
    promptVersionType: 'number',
  };
  if (!answer?.call) return fields;
  const { model, inputTokens, outputTokens, messages, parameters, ignored } = answer.call;
  const settings = {
    ...(ignored.length === 0 ? {} : { ignored }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
  };
  return {
    ...fields,
    metadata: Object.keys(settings).length === 0 ? '' : JSON.stringify(settings),
    model,
    inputTokens,
    outputTokens,
    input: messages,
    output,
    costUsd: answer.costUsd,
    costStatus: answer.costUsd === null ? 'unpriced' : 'priced',
  };
}
