import type { TraceSpan } from '../../api/service.ts';
import type { ToolCall } from '../../content/message.ts';
import { byStart, callsIn } from './call-results.ts';

/** A tool call that a model requested in its output. */
export interface AskedCall {
  /** The llm span. */
  asker: TraceSpan;
  call: ToolCall;
  /** The tool span that executed it; the first one if it was repeated. */
  run: TraceSpan | null;
}

export interface ToolLinks {
  /** By the id of the llm span, in the order of its output. */
  asked: ReadonlyMap<string, readonly AskedCall[]>;
  /** By the id of the tool span. */
  askedBy: ReadonlyMap<string, AskedCall>;
  byId: CallsById;
}

/**
 * Links tool calls to the spans that executed them. A call is a tool call in the output of an `llm` span; a run is a `tool` span. Each
 * run has at most one call. Runs are matched in order of their start.
 *
 * 1. A run with a call id (`gen_ai.tool.call.id`, `ai.toolCall.id`, ...) belongs to the call with this id. If several llm spans used the
 *    same id, a sibling of the run is preferred, and among these the last that started no later than the run.
 * 2. A run without an id belongs to the first unmatched call of the tool's name in the output of its parent llm span, or else of the last
 *    sibling llm span that started no later than the run.
 *
 * Pure function.
 */
export function toolLinks(spans: readonly TraceSpan[]): ToolLinks {
  const asked = new Map<string, AskedCall[]>();
  for (const asker of spans) {
    if (asker.kind !== 'llm') continue;
    const calls = callsIn(asker, 'output');
    if (calls.length > 0)
      asked.set(
        asker.spanId,
        calls.map((call) => ({ asker, call, run: null })),
      );
  }
  const askedBy = new Map<string, AskedCall>();
  const byId = new CallsById([...asked.values()].flat());
  const link = (run: TraceSpan, found: AskedCall | undefined) => {
    if (!found) return;
    found.run ??= run;
    askedBy.set(run.spanId, found);
  };
  const runs = spans.filter(({ kind }) => kind === 'tool').toSorted(byStart);
  for (const run of runs) {
    const id = callIdOf(run);
    if (id !== null) link(run, byId.nearest(id, run));
  }
  const free = new FreeCalls(asked);
  for (const run of runs) if (callIdOf(run) === null) link(run, free.take(run));
  return { asked, askedBy, byId };
}

/** {@link toolLinks}, computed on first use: a large trace has many outputs to parse. */
export function lazyToolLinks(spans: readonly TraceSpan[]): () => ToolLinks {
  let known: ToolLinks | null = null;
  return () => (known ??= toolLinks(spans));
}

/** Calls of one name in one output, in order. */
interface Named {
  calls: readonly AskedCall[];
  /** All calls before this index have a run. */
  next: number;
}

/** The first call without a run. */
function freeOf(named: Named | undefined): AskedCall | undefined {
  if (!named) return undefined;
  while (named.calls[named.next]?.run) named.next += 1;
  return named.calls[named.next];
}

/** Calls of one name by sibling llm spans. */
interface Siblings {
  /** By llm span, latest start first. */
  later: Named[];
  /** Of llm spans that started no later than the current run, latest start last. */
  started: Named[];
}

/** The calls without a run, for runs in order of their start. Each call is visited a constant number of times. */
class FreeCalls {
  /** By llm span and name. */
  readonly #within = new Map<string, Named>();
  readonly #siblings = new Map<string, Siblings>();

  constructor(asked: ReadonlyMap<string, readonly AskedCall[]>) {
    const byAsker = [...asked.values()].toSorted(([left], [right]) => (left && right ? byStart(right.asker, left.asker) : 0));
    for (const calls of byAsker) {
      for (const [name, same] of Map.groupBy(calls, ({ call }) => call.name)) {
        const named = { calls: same, next: 0 };
        const asker = same[0]?.asker;
        this.#within.set(keyOf(asker?.spanId ?? null, name), named);
        const key = keyOf(asker?.parentSpanId ?? null, name);
        const siblings = this.#siblings.get(key) ?? { later: [], started: [] };
        siblings.later.push(named);
        this.#siblings.set(key, siblings);
      }
    }
  }

  /** The call that a run without an id belongs to. */
  take(run: TraceSpan): AskedCall | undefined {
    const names = [...toolNames(run)];
    const above = names.map((name) => freeOf(this.#within.get(keyOf(run.parentSpanId, name)))).filter((one) => one !== undefined);
    if (above.length > 0) return above.reduce((first, one) => (one.call.place < first.call.place ? one : first));
    for (const name of names) {
      const found = this.#takeFromSiblings(run, this.#siblings.get(keyOf(run.parentSpanId, name)));
      if (found) return found;
    }
    return undefined;
  }

  #takeFromSiblings(run: TraceSpan, siblings: Siblings | undefined): AskedCall | undefined {
    if (!siblings) return undefined;
    const { later, started } = siblings;
    for (let next = later.at(-1); next?.calls[0] && byStart(next.calls[0].asker, run) <= 0; next = later.at(-1)) {
      started.push(next);
      later.pop();
    }
    for (let last = started.at(-1); last; last = started.at(-1)) {
      const found = freeOf(last);
      if (found) return found;
      started.pop();
    }
    return undefined;
  }
}

const keyOf = (...parts: ReadonlyArray<string | null>) => JSON.stringify(parts);

/** Calls by id. Ids are not unique: some clients restart numbering with each output. */
class CallsById {
  /** In order of their start; keyed with and without the parent of the llm span. */
  readonly #calls: Map<string, AskedCall[]>;

  constructor(calls: readonly AskedCall[]) {
    this.#calls = new Map();
    for (const one of calls.toSorted((left, right) => byStart(left.asker, right.asker))) {
      const { id } = one.call;
      if (id === null) continue;
      for (const key of [keyOf(id), keyOf(id, one.asker.parentSpanId)]) {
        const same = this.#calls.get(key);
        // Of one output, only the first and the last can be the nearest.
        if (same && same.at(-1)?.asker === one.asker && same.at(-2)?.asker === one.asker) same[same.length - 1] = one;
        else if (same) same.push(one);
        else this.#calls.set(key, [one]);
      }
    }
  }

  /** The call with an id of another span: a sibling if possible; the last that started before the span, or else the first after it. */
  nearest(id: string, span: TraceSpan): AskedCall | undefined {
    return nearestOf(this.#calls.get(keyOf(id, span.parentSpanId)), span) ?? nearestOf(this.#calls.get(keyOf(id)), span);
  }
}

function nearestOf(sorted: readonly AskedCall[] | undefined, span: TraceSpan): AskedCall | undefined {
  if (!sorted) return undefined;
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = sorted[middle];
    if (one && byStart(one.asker, span) <= 0) low = middle + 1;
    else high = middle;
  }
  const isOther = ({ asker }: AskedCall) => asker.spanId !== span.spanId;
  for (let index = low - 1; index >= 0; index--) {
    const one = sorted[index];
    if (one && isOther(one)) return one;
  }
  return sorted.find((one, index) => index >= low && isOther(one));
}

/** The earlier call that a message repeats, by id: each model call includes the whole conversation. */
export function repeatedCall({ byId }: ToolLinks, span: TraceSpan, call: ToolCall): AskedCall | null {
  return (call.id === null ? undefined : byId.nearest(call.id, span)) ?? null;
}

const idAttributes = ['gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id', 'tool_call_id', 'toolCallId', 'call_id'];
const nameAttributes = ['gen_ai.tool.name', 'ai.toolCall.name', 'tool.name', 'tool_name', 'traceloop.entity.name'];

function attributeOf(span: TraceSpan, names: readonly string[]): string[] {
  const parts = [span.attributes, span.metadata].filter((part) => typeof part === 'object' && part !== null);
  const values = names.flatMap((name) => parts.map((part) => (part as Readonly<Record<string, unknown>>)[name]));
  return values.filter((value) => typeof value === 'string' && value !== '') as string[];
}

/** The call id in the attributes of a tool span. */
function callIdOf(span: TraceSpan): string | null {
  return attributeOf(span, idAttributes)[0] ?? null;
}

/** Possible tool names of a span: attributes, and its name with and without prefixes of frameworks. */
function toolNames(span: TraceSpan): Set<string> {
  const bare = span.name.replace(/^(?:execute_tool|running tool:?|tool:?|ai\.toolCall)\s+/i, '').replace(/\.tool$/, '');
  return new Set([...attributeOf(span, nameAttributes), bare, span.name]);
}
