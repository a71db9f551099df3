import type { TraceSpan } from '../../api/wire.ts';
import type { ToolCall } from '../../content/tool-runs.ts';
import { byStart, callsIn } from './told-result.ts';

/** A call of a tool that a model asked for in its answer. */
export interface AskedCall {
  /** The llm span. */
  asker: TraceSpan;
  call: ToolCall;
  /** The tool span that ran it: the first, where it was run again. */
  run: TraceSpan | null;
}

export interface ToolLinks {
  /** By the id of the llm span, in the order of its answer. */
  asked: ReadonlyMap<string, readonly AskedCall[]>;
  /** By the id of the tool span. */
  askedBy: ReadonlyMap<string, AskedCall>;
  byId: CallsById;
}

/**
 * Which span ran which call of a tool. A call is what stands in the output of a span of kind `llm`; a run is a span of kind `tool`.
 * Each run has one call at most; runs are looked at in the order of their start.
 *
 * 1. A run that carries the id of a call (`gen_ai.tool.call.id`, `ai.toolCall.id`, ...) belongs to the call with this id. Where several
 *    llm spans answered with the same id: to one with the same parent before others, and of these to the last that started no later.
 * 2. A run without an id belongs to a call of the tool's name that no run has yet, asked for by an llm span beside it (the same parent) or
 *    by the one that it stands in, which started no later: of the one it stands in, else of the last beside it, the first such call in
 *    the answer.
 *
 * Pure.
 */
export function toolLinks(spans: readonly TraceSpan[]): ToolLinks {
  const asked = new Map<string, AskedCall[]>();
  for (const asker of spans) {
    if (asker.kind !== 'llm') continue;
    const calls = callsIn(asker.output);
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

/** {@link toolLinks}, worked out when they are first asked for: a large trace has many answers to read. */
export function linksWhenAsked(spans: readonly TraceSpan[]): () => ToolLinks {
  let known: ToolLinks | null = null;
  return () => (known ??= toolLinks(spans));
}

/** Calls of one name in one answer, in their order. */
interface Named {
  calls: readonly AskedCall[];
  /** All before it have a run. */
  next: number;
}

/** The first of them that no run has yet. */
function freeOf(named: Named | undefined): AskedCall | undefined {
  if (!named) return undefined;
  while (named.calls[named.next]?.run) named.next += 1;
  return named.calls[named.next];
}

/** Calls of one name by llm spans with one parent. */
interface Beside {
  /** Each llm span's, the span that starts last in front. */
  later: Named[];
  /** Of llm spans that had started when a run was looked at, the last one at the end. */
  started: Named[];
}

/** The calls that no run has yet, for runs in the order of their start: each call is looked at a few times, however many there are. */
class FreeCalls {
  /** By the llm span and the name. */
  readonly #within = new Map<string, Named>();
  readonly #beside = new Map<string, Beside>();

  constructor(asked: ReadonlyMap<string, readonly AskedCall[]>) {
    const byAsker = [...asked.values()].toSorted(([left], [right]) => (left && right ? byStart(right.asker, left.asker) : 0));
    for (const calls of byAsker) {
      for (const [name, same] of Map.groupBy(calls, ({ call }) => call.name)) {
        const named = { calls: same, next: 0 };
        const asker = same[0]?.asker;
        this.#within.set(keyOf(asker?.spanId ?? null, name), named);
        const key = keyOf(asker?.parentSpanId ?? null, name);
        const beside = this.#beside.get(key) ?? { later: [], started: [] };
        beside.later.push(named);
        this.#beside.set(key, beside);
      }
    }
  }

  /** The call that a run without an id belongs to. */
  take(run: TraceSpan): AskedCall | undefined {
    const names = [...toolNames(run)];
    const above = names.map((name) => freeOf(this.#within.get(keyOf(run.parentSpanId, name)))).filter((one) => one !== undefined);
    if (above.length > 0) return above.reduce((first, one) => (one.call.place < first.call.place ? one : first));
    for (const name of names) {
      const found = this.#takeBeside(run, this.#beside.get(keyOf(run.parentSpanId, name)));
      if (found) return found;
    }
    return undefined;
  }

  #takeBeside(run: TraceSpan, beside: Beside | undefined): AskedCall | undefined {
    if (!beside) return undefined;
    const { later, started } = beside;
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

/** Calls by their ids. Ids should be unique and are not: some clients count them anew for each answer. */
class CallsById {
  /** In the order of their start; with and without the parent of the llm span. */
  readonly #calls: Map<string, AskedCall[]>;

  constructor(calls: readonly AskedCall[]) {
    this.#calls = new Map();
    for (const one of calls.toSorted((left, right) => byStart(left.asker, right.asker))) {
      const { id } = one.call;
      if (id === null) continue;
      for (const key of [keyOf(id), keyOf(id, one.asker.parentSpanId)]) {
        const same = this.#calls.get(key);
        // Of an answer, the first and the last are all that is ever near.
        if (same && same.at(-1)?.asker === one.asker && same.at(-2)?.asker === one.asker) same[same.length - 1] = one;
        else if (same) same.push(one);
        else this.#calls.set(key, [one]);
      }
    }
  }

  /** Of the calls with an id that other spans asked for: one beside the span before others, the last before it, else the first after it. */
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

/** The call that a message repeats from an earlier answer, by its id: conversations are sent whole with each call of a model. */
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

/** The id of the call that a tool span says it runs. */
function callIdOf(span: TraceSpan): string | null {
  return attributeOf(span, idAttributes)[0] ?? null;
}

/** What a tool span may call its tool: an attribute, or its own name without what frameworks put around it. */
function toolNames(span: TraceSpan): Set<string> {
  const bare = span.name.replace(/^(?:execute_tool|running tool:?|tool:?|ai\.toolCall)\s+/i, '').replace(/\.tool$/, '');
  return new Set([...attributeOf(span, nameAttributes), bare, span.name]);
}
