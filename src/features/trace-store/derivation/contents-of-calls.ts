import { isCallKind } from './trace-node.ts';
import type { ResolvedNode, TraceNode } from './trace-node.ts';

/** A call, and the span that its input or output stands in: the call itself, or one that repeats it. */
export interface CallContent<T> {
  call: T;
  from: T;
}

/** The calls whose contents stand for those of their trace; null where no call has any. */
export interface ContentsOfCalls<T extends TraceNode = TraceNode> {
  input: CallContent<T> | null;
  output: CallContent<T> | null;
}

/**
 * The first input and the last output of the calls of a trace, depth first (docs/semantics.md, "Trace summary").
 *
 * @param resolved of all spans of the trace, depth first
 */
export function contentsOfCalls<T extends TraceNode>(resolved: ReadonlyMap<T, ResolvedNode>): ContentsOfCalls<T> {
  const contents: ContentsOfCalls<T> = { input: null, output: null };
  let byId: ReadonlyMap<string, T> | null = null;
  const spanWith = (name: 'inputPreview' | 'outputPreview', node: T, contentFrom: string): T | null => {
    if (node[name] !== '') return node;
    if (contentFrom === '') return null;
    byId ??= new Map([...resolved.keys()].map((one) => [one.spanId, one]));
    const from = byId.get(contentFrom);
    return from?.[name] ? from : null;
  };
  for (const [node, own] of resolved) {
    if (own.repeats || !isCallKind(own)) continue;
    const input = contents.input === null ? spanWith('inputPreview', node, own.contentFrom) : null;
    if (input !== null) contents.input = { call: node, from: input };
    const output = spanWith('outputPreview', node, own.contentFrom);
    if (output !== null) contents.output = { call: node, from: output };
  }
  return contents;
}
