import type { InsertRows } from '../../../platform/clickhouse/index.ts';
import { TableRows } from '../../../platform/tables/index.ts';
import type { TouchedHour } from '../pipeline-port.ts';
import { calls } from '../tables/calls.ts';
import type { Call } from '../tables/calls.ts';
import { nodeCalls } from '../tables/node-calls.ts';
import type { NodeCall } from '../tables/node-calls.ts';
import { quality } from '../tables/quality.ts';
import type { Quality } from '../tables/quality.ts';
import { spanAgents } from '../tables/span-agents.ts';
import type { SpanAgent } from '../tables/span-agents.ts';
import { StaleHeaders } from '../tables/span-headers.ts';
import type { HeaderKey } from '../tables/span-headers.ts';
import type { SpanHeader } from '../tables/spans.ts';
import { traces } from '../tables/traces.ts';
import type { TraceSummary } from '../tables/traces.ts';
import type { DerivedKeys } from './stored-keys.ts';
import type { TraceView } from './trace-view.ts';

/**
 * Collects the rows that update the derived tables from the earlier view of a trace to the current one. A row whose key (hour or start)
 * no longer exists is replaced by a tombstone; an unchanged row is not written, so that its hour stays sealed.
 */
export class DerivedRows {
  readonly #calls = new TableRows(calls, 64 * 1024);
  readonly #nodeCalls = new TableRows(nodeCalls, 64 * 1024);
  readonly #quality = new TableRows(quality);
  readonly #agents = new TableRows(spanAgents, 64 * 1024);
  readonly #traces = new TableRows(traces, 64 * 1024);
  readonly #staleHeaders = new StaleHeaders();
  readonly #hours = new Map<string, TouchedHour>();
  readonly #version: number;

  /** @param version of every row; higher than that of all earlier rows */
  constructor(version: number) {
    this.#version = version;
  }

  /** Adds the changed calls, agents of spans, calls of nodes, and the changed summary of one trace. */
  add(projectId: string, traceId: string, before: TraceView, after: TraceView): void {
    for (const [spanId, call] of before.calls) {
      const now = after.calls.get(spanId);
      if (now?.hour !== call.hour) this.#call(projectId, call, true);
    }
    for (const [spanId, call] of after.calls) {
      const earlier = before.calls.get(spanId);
      if (!earlier || !sameCall(earlier, call)) this.#call(projectId, call, false);
    }
    for (const [callId, call] of before.nodeCalls) {
      if (after.nodeCalls.get(callId)?.hour !== call.hour) this.#nodeCall(projectId, traceId, call, true);
    }
    for (const [callId, call] of after.nodeCalls) {
      const earlier = before.nodeCalls.get(callId);
      if (!earlier || !sameNodeCall(earlier, call)) this.#nodeCall(projectId, traceId, call, false);
    }
    for (const [spanId, agent] of before.agents) {
      if (!after.agents.has(spanId)) this.#agent(projectId, traceId, agent, true);
    }
    for (const [spanId, agent] of after.agents) {
      const earlier = before.agents.get(spanId);
      if (!earlier || !sameAgent(earlier, agent)) this.#agent(projectId, traceId, agent, false);
    }
    if (before.summary && before.summary.startNs !== after.summary?.startNs) {
      // Blank: a deletion must leave no text of the summary. Of the same layout as other rows, so that both need one insert.
      this.#trace(projectId, traceId, { ...traces.blank.summary, startNs: before.summary.startNs }, true);
    }
    if (after.summary) this.#trace(projectId, traceId, after.summary, false);
  }

  /**
   * Hides the rows of `span_headers` under the starts that spans had before. Of the version that replaces them: a span may get its earlier start back.
   *
   * @param versions of spans that are stored or about to be
   * @param latest of them those that count
   */
  addStarts(projectId: string, versions: readonly SpanHeader[], latest: readonly SpanHeader[]): void {
    if (versions.length === latest.length) return;
    const counting = new Map(latest.map((span) => [span.spanId, span]));
    for (const span of versions) {
      const now = counting.get(span.spanId);
      if (now !== undefined && now.startNs !== span.startNs) this.hideHeader(projectId, now.version, span);
    }
  }

  /** Hides a row of `span_headers`; see {@link StaleHeaders.add}. */
  hideHeader(projectId: string, version: number, key: HeaderKey): void {
    this.#staleHeaders.add(projectId, version, key);
  }

  /**
   * Adds the changed scores of one project, by score id. To be called once for all traces of a batch: a score may move from one trace to
   * another and keep its key.
   */
  addQuality(projectId: string, before: ReadonlyMap<string, Quality>, after: ReadonlyMap<string, Quality>): void {
    for (const [scoreId, quality] of before) {
      if (after.get(scoreId)?.hour !== quality.hour) this.#score(projectId, quality, true);
    }
    for (const [scoreId, quality] of after) {
      const earlier = before.get(scoreId);
      if (!earlier || !sameQuality(earlier, quality)) this.#score(projectId, quality, false);
    }
  }

  /**
   * Adds all rows of a trace, changed or not, and tombstones for keys that `view` does not have.
   *
   * @param stale those keys
   */
  replace(projectId: string, traceId: string, view: TraceView, stale: DerivedKeys): void {
    for (const { hour, spanId } of stale.calls) this.#staleCall(projectId, traceId, hour, spanId);
    for (const { hour, callId } of stale.nodeCalls) this.#staleNodeCall(projectId, traceId, hour, callId);
    for (const { hour, scoreId } of stale.quality) this.#staleScore(projectId, traceId, hour, scoreId);
    for (const { spanId, startNs } of stale.agents) this.#staleAgent(projectId, traceId, spanId, startNs);
    for (const startNs of stale.summaries) this.#staleTrace(projectId, traceId, startNs);
    for (const { spanId, startNs, version } of stale.headers) this.hideHeader(projectId, version, { traceId, spanId, startNs });
    for (const call of view.calls.values()) this.#call(projectId, call, false);
    for (const call of view.nodeCalls.values()) this.#nodeCall(projectId, traceId, call, false);
    for (const agent of view.agents.values()) this.#agent(projectId, traceId, agent, false);
    for (const quality of view.quality.values()) this.#score(projectId, quality, false);
    if (view.summary) this.#trace(projectId, traceId, view.summary, false);
  }

  #staleCall(projectId: string, traceId: string, hour: number, spanId: string): void {
    this.#touch(projectId, hour);
    const span = { traceId, spanId, startNs: BigInt(hour) * 1_000_000_000n };
    this.#calls.addTombstone({ projectId, version: this.#version }, { hour, span });
  }

  #staleNodeCall(projectId: string, traceId: string, hour: number, callId: string): void {
    this.#touch(projectId, hour);
    this.#nodeCalls.addTombstone({ projectId, version: this.#version }, { traceId, hour, callId });
  }

  #staleScore(projectId: string, traceId: string, hour: number, scoreId: string): void {
    this.#touch(projectId, hour);
    const score = { traceId, scoreId, timestampMs: hour * 1000 };
    this.#quality.addTombstone({ projectId, version: this.#version }, { hour, score });
  }

  #staleAgent(projectId: string, traceId: string, spanId: string, startNs: bigint): void {
    this.#agents.addTombstone({ projectId, version: this.#version }, { traceId, spanId, startNs });
  }

  #staleTrace(projectId: string, traceId: string, startNs: bigint): void {
    this.#traces.addTombstone({ projectId, version: this.#version }, { traceId, startNs });
  }

  /** Hours whose figures change. */
  hours(): TouchedHour[] {
    return [...this.#hours.values()];
  }

  /** The inserts of all rows. Their deduplication tokens start with `token`, so that a cluster applies a repeated batch once. */
  inserts(token: string): InsertRows[] {
    return [this.#calls, this.#nodeCalls, this.#quality, this.#agents, this.#traces, this.#staleHeaders].flatMap((rows) =>
      rows.inserts(token),
    );
  }

  #touch(projectId: string, hour: number): void {
    this.#hours.set(`${projectId} ${hour}`, { projectId, hour });
  }

  #call(projectId: string, call: Call, deleted: boolean): void {
    this.#touch(projectId, call.hour);
    this.#calls.add({ projectId, version: this.#version, deleted }, call);
  }

  #nodeCall(projectId: string, traceId: string, call: NodeCall, deleted: boolean): void {
    this.#touch(projectId, call.hour);
    this.#nodeCalls.add({ projectId, version: this.#version, deleted }, { traceId, call });
  }

  #score(projectId: string, score: Quality, deleted: boolean): void {
    this.#touch(projectId, score.hour);
    this.#quality.add({ projectId, version: this.#version, deleted }, score);
  }

  /** No figure depends on it. */
  #agent(projectId: string, traceId: string, agent: SpanAgent, deleted: boolean): void {
    this.#agents.add({ projectId, version: this.#version, deleted }, { traceId, agent });
  }

  #trace(projectId: string, traceId: string, summary: TraceSummary, deleted: boolean): void {
    this.#traces.add({ projectId, version: this.#version, deleted }, { traceId, summary });
  }
}

function sameCall(left: Call, right: Call): boolean {
  return left.span.version === right.span.version && left.agentName === right.agentName && left.operation === right.operation;
}

function sameNodeCall(left: NodeCall, right: NodeCall): boolean {
  return (
    left.startNs === right.startNs &&
    left.node === right.node &&
    left.caller === right.caller &&
    left.environment === right.environment &&
    left.provider === right.provider &&
    left.promptName === right.promptName &&
    left.agentName === right.agentName &&
    left.error === right.error &&
    left.durationMs === right.durationMs &&
    left.cost === right.cost &&
    left.unpriced === right.unpriced &&
    left.partlyPriced === right.partlyPriced
  );
}

function sameAgent(left: SpanAgent, right: SpanAgent): boolean {
  return left.agentName === right.agentName && left.startNs === right.startNs;
}

function sameQuality(left: Quality, right: Quality): boolean {
  return left.score.version === right.score.version && left.model === right.model && left.environment === right.environment;
}
