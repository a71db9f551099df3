import type { Deployment } from './operations-scenario.ts';
import { Random } from './random.ts';
import { traceVariety } from './trace-variety.ts';
import type { TraceVariety } from './trace-variety.ts';
import { agents, evaluators, failures } from './scenario.ts';
import type { AgentProfile, ModelProfile } from './scenario.ts';
import { dayMs } from '../../contract/durations.ts';

/** A native event (docs/semantics.md, "Native events"), ready to be a line of `POST /v1/ingest`. */
export type DemonstrationEvent = Record<string, unknown> & { type: 'span' | 'trace' | 'score' };

export interface DemonstrationOptions {
  seed: number;
  /** About how many spans. */
  spans: number;
  /** The month ends here, epoch milliseconds. */
  endMs: number;
  days: number;
  /** What ran in production, oldest first: gives the release, and how many more calls fail. None: releases at random. */
  deployments?: readonly Deployment[];
}

/** The events of a month of traffic, trace by trace, not ordered by time. The same options give the same events. */
export function* demonstrationTraces(options: DemonstrationOptions): Generator<DemonstrationEvent[]> {
  const random = new Random(options.seed);
  for (let spans = 0; spans < options.spans;) {
    const startMs = startTime(random, options);
    const deployed = options.deployments?.findLast(({ atMs }) => atMs <= startMs);
    const events = oneTrace(random, startMs, deployed);
    spans += events.filter((event) => event.type === 'span').length;
    yield events;
  }
}

/** Office hours are busier than nights, weekends are quiet, and the month grows towards its end. */
function startTime(random: Random, { endMs, days }: DemonstrationOptions): number {
  for (;;) {
    const age = (1 - Math.sqrt(random.next())) * days * dayMs;
    const at = Math.floor(endMs - age) - 60_000;
    const date = new Date(at);
    const hour = date.getUTCHours();
    const weekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
    const busy = (hour >= 7 && hour <= 18 ? 1 : 0.25) * (weekend ? 0.35 : 1);
    if (random.chance(busy)) return at;
  }
}

/** Writes the spans of one trace one after the other, each inside its parent. */
class TraceScript {
  readonly events: DemonstrationEvent[] = [];
  readonly traceId: string;
  readonly variety: TraceVariety;
  readonly #random: Random;
  readonly #shared: Record<string, unknown>;

  constructor(random: Random, shared: Record<string, unknown> & { userId: string }) {
    this.#random = random;
    this.#shared = shared;
    this.traceId = random.hex(32);
    this.variety = traceVariety(this.traceId, shared.userId);
  }

  /** @returns the span's id */
  span(fields: Record<string, unknown>, startMs: number, endMs: number, spanId = this.#random.hex(16)): string {
    this.events.push({
      type: 'span',
      traceId: this.traceId,
      spanId,
      ...this.#shared,
      ...fields,
      startTime: new Date(startMs).toISOString(),
      endTime: new Date(endMs).toISOString(),
    });
    return spanId;
  }

  add(event: DemonstrationEvent): void {
    this.events.push(event);
  }
}

/** @param share from 0 to 1 */
function environmentOf(share: number): string {
  if (share < 0.85) return 'production';
  return share < 0.97 ? 'staging' : 'preview';
}

function chooseAgent(random: Random): AgentProfile {
  let rest = random.next();
  for (const agent of agents) {
    rest -= agent.share;
    if (rest < 0) return agent;
  }
  return agents[0];
}

/** @param deployed what ran then; undefined before the first deployment */
function oneTrace(random: Random, startMs: number, deployed: Deployment | undefined): DemonstrationEvent[] {
  const agent = chooseAgent(random);
  const userId = `user-${random.whole(1, 400)}`;
  const sessionId = `session-${userId}-${new Date(startMs).toISOString().slice(0, 10)}-${random.whole(1, 3)}`;
  const environment = environmentOf(random.next());
  const randomRelease = startMs > Date.UTC(2026, 0, 1) && random.chance(0.5) ? '2.4.1' : '2.4.0';
  const release = deployed?.version ?? randomRelease;
  const addedErrors = environment === 'production' ? (deployed?.addedErrors ?? 0) : 0;
  const script = new TraceScript(random, { sessionId, userId, environment, release, agentName: agent.name });
  const question = random.pick(agent.questions);
  const turns = random.whole(1, 3);
  const rootId = random.hex(16);
  let at = startMs + 5;
  let failed = false;
  let answer = random.pick(agent.answers);
  for (let turn = 0; turn < turns && !failed; turn++) {
    if (agent.retrieves && turn === 0) at = retrieve(script, random, rootId, question, at);
    if (turn > 0) at = callTool(script, random, agent, rootId, at);
    ({ at, failed } = callModel(script, random, agent, rootId, { question, answer, turn, addedErrors }, at));
  }
  if (failed) answer = '';
  script.add({
    type: 'span',
    traceId: script.traceId,
    spanId: rootId,
    name: `invoke_agent ${agent.name}`,
    kind: 'agent',
    operation: 'invoke_agent',
    agentName: agent.name,
    attributes: { 'service.name': agent.service },
    sessionId,
    userId,
    environment,
    release,
    startTime: new Date(startMs).toISOString(),
    endTime: new Date(at + 5).toISOString(),
    input: question,
    ...(failed
      ? { status: 'error', errorCode: 'agent_failed', errorMessage: 'The model call failed' }
      : { status: 'ok', output: answer }),
  });
  script.add({
    type: 'trace',
    traceId: script.traceId,
    name: agent.promptName,
    sessionId,
    userId,
    environment,
    release,
    tags: [agent.name, random.chance(0.2) ? 'beta' : 'stable', ...script.variety.tags],
    metadata: script.variety.metadata,
    input: question,
    ...(answer === '' ? {} : { output: answer }),
    timestamp: new Date(startMs).toISOString(),
  });
  return script.events;
}

function retrieve(script: TraceScript, random: Random, parentSpanId: string, query: string, at: number): number {
  const embedEnd = at + random.spread(60, 0.3);
  script.span(
    {
      parentSpanId,
      name: 'embeddings text-embedding-3-small',
      kind: 'embedding',
      operation: 'embeddings',
      model: 'text-embedding-3-small',
      provider: 'openai',
      usage: { inputTokens: random.whole(6, 30) },
      status: 'ok',
      input: query,
    },
    at,
    embedEnd,
  );
  const end = embedEnd + random.spread(45, 0.4);
  script.span(
    {
      parentSpanId,
      name: 'retrieve knowledge-base',
      kind: 'retriever',
      operation: 'retrieval',
      status: 'ok',
      input: query,
      output: [
        { id: `doc-${random.whole(1, 900)}`, score: 0.82 },
        { id: `doc-${random.whole(1, 900)}`, score: 0.71 },
      ],
    },
    embedEnd,
    end,
  );
  return end;
}

function callTool(script: TraceScript, random: Random, agent: AgentProfile, parentSpanId: string, at: number): number {
  const tool = random.pick(agent.tools);
  const durationMs = random.spread(140, 0.6);
  const failed = random.chance(0.02);
  const id = random.whole(1000, 9999);
  const rows = failed ? 0 : random.whole(0, 5);
  const call = (given: number, startMs: number, isFailure: boolean, spanId?: string): number => {
    const [errorCode, errorMessage] = isFailure ? script.variety.toolFailure(tool) : ['', ''];
    script.span(
      {
        parentSpanId,
        name: `execute_tool ${tool}`,
        kind: 'tool',
        operation: 'execute_tool',
        attributes: { 'gen_ai.tool.name': tool },
        input: { name: tool, arguments: { id: given } },
        ...(isFailure ? { status: 'error', errorCode, errorMessage } : { status: 'ok', output: { ok: true, rows } }),
      },
      startMs,
      startMs + durationMs,
      spanId,
    );
    return startMs + durationMs;
  };
  const end = call(id, at, failed);
  // A tool that failed is called again; some are called for two ids.
  if (failed) return call(id, end + 20, false, script.variety.spanId());
  return script.variety.repeats() ? call(id + 1, end + 5, false, script.variety.spanId()) : end;
}

function callModel(
  script: TraceScript,
  random: Random,
  agent: AgentProfile,
  parentSpanId: string,
  { question, answer, turn, addedErrors }: { question: string; answer: string; turn: number; addedErrors: number },
  at: number,
): { at: number; failed: boolean } {
  const profile = random.pick(agent.models);
  const failed = random.chance(profile.errorRate + addedErrors);
  const end = at + random.spread(profile.latencyMs, 0.45) * (failed ? 0.4 : 1);
  const inputTokens = Math.round(random.spread(1400, 0.6));
  const spanId = script.span(
    {
      parentSpanId,
      name: `chat ${profile.requested}`,
      kind: 'llm',
      operation: 'chat',
      model: profile.model,
      provider: profile.provider,
      promptName: agent.promptName,
      promptVersion: 3 + (turn % 2),
      input: [
        { role: 'system', content: `You are ${agent.name}. Answer briefly, and say so when you do not know.` },
        { role: 'user', content: question },
      ],
      ...outcome(random, profile, failed, answer, inputTokens),
    },
    at,
    end,
  );
  if (!failed && random.chance(0.35)) addScores(script, random, profile, spanId, end);
  return { at: end + 3, failed };
}

function outcome(
  random: Random,
  profile: ModelProfile,
  failed: boolean,
  answer: string,
  inputTokens: number,
): Record<string, unknown> {
  if (failed) {
    const [errorCode, errorMessage] = random.pick(failures);
    return { status: 'error', errorCode, errorMessage };
  }
  const outputTokens = Math.round(random.spread(180, 0.5));
  return {
    status: 'ok',
    output: { role: 'assistant', content: answer },
    timeToFirstTokenMs: Math.round(random.spread(profile.firstTokenMs, 0.3)),
    usage: {
      inputTokens,
      outputTokens,
      cachedTokens: random.chance(0.6) ? Math.floor(inputTokens * 0.7) : 0,
      reasoningTokens: 0,
    },
  };
}

function addScores(script: TraceScript, random: Random, profile: ModelProfile, spanId: string, at: number): void {
  const value = Math.max(0, Math.min(1, profile.quality + (random.next() - 0.5) * 0.35));
  const rounded = Math.round(value * 100) / 100;
  script.add({
    type: 'score',
    scoreId: random.hex(32),
    traceId: script.traceId,
    spanId,
    evaluator: random.pick(evaluators),
    score: rounded,
    passed: rounded >= 0.7,
    timestamp: new Date(at + 1000).toISOString(),
  });
}
