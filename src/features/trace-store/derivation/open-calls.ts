import { bareModel } from './model-names.ts';
import { hasTokens, markRepeats, type ResolvedNode, type TraceNode } from './trace-node.ts';

/** A span of the path. */
interface Open {
  node: TraceNode;
  own: ResolvedNode;
}

/** Spans by response id, innermost last. */
type ByResponse = Map<string, Open[]>;

/** The spans of the path that share a kind and a name. */
interface Alike {
  /** Those with tokens or a response id that did not fail, and those that failed. */
  ended: ByResponse;
  failed: ByResponse;
  /** Those without tokens and response id. They are in `failed` too, if they failed. */
  bare: Open[];
  /** Those with tokens or a response id, marked or not. */
  informed: Open[];
}

/**
 * The names under which a span is compared with others: those of its models, and its token counts, since tokens that are equal are those of one call
 * where one span lies within the other. Without a model it has none.
 */
export function namesOf(node: TraceNode): { models: readonly string[]; tokens: string } {
  if (node.model === '') return { models: [], tokens: '' };
  const model = `${node.kind}\n${bareModel(node.model)}`;
  const requested = node.requestModel === '' ? model : `${node.kind}\n${bareModel(node.requestModel)}`;
  return {
    models: model === requested ? [model] : [model, requested],
    tokens: hasTokens(node) ? `${node.kind}\n/${node.inputTokens ?? 0}/${node.outputTokens ?? 0}` : '',
  };
}

/**
 * The calls on the path to a span. Grouped by name, outcome and response id, so that a span visits only those that repeat it, each once under
 * each of its names: linear time over the whole trace, also for one long chain.
 */
export class OpenCalls {
  readonly #byName = new Map<string, Alike>();

  /** Applies the rules for nested spans to this span and those above it (docs/semantics.md, "Repeated calls"), and adds it to the path. */
  enter(node: TraceNode, own: ResolvedNode): void {
    const { models, tokens } = namesOf(node);
    const bare = isBare(node);
    for (const name of models) {
      const alike = this.#byName.get(name);
      if (!alike) continue;
      markAll(alike.bare, node);
      markAbove(alike, node);
      const informed = alike.informed.at(-1);
      if (informed && bare && !node.error) markRepeats(own, informed.node);
    }
    const sameTokens = this.#byName.get(tokens);
    if (sameTokens) markAbove(sameTokens, node);
    for (const name of tokens === '' ? models : [...models, tokens]) add(this.#alike(name), { node, own }, bare);
  }

  /** Removes a span from the path. */
  leave(node: TraceNode, own: ResolvedNode): void {
    const { models, tokens } = namesOf(node);
    for (const name of tokens === '' ? models : [...models, tokens]) {
      const { ended, failed, bare, informed } = this.#alike(name);
      removeLast(bare, own);
      removeLast(informed, own);
      for (const group of [ended, failed]) {
        const alike = group.get(node.responseId);
        if (alike && removeLast(alike, own) && alike.length === 0) group.delete(node.responseId);
      }
    }
  }

  #alike(name: string): Alike {
    const found = this.#byName.get(name);
    if (found) return found;
    const made: Alike = { ended: new Map(), failed: new Map(), bare: [], informed: [] };
    this.#byName.set(name, made);
    return made;
  }
}

/** Whether a span has neither tokens nor a response id. */
function isBare(node: TraceNode): boolean {
  return node.responseId === '' && !hasTokens(node);
}

function add({ ended, failed, bare, informed }: Alike, open: Open, isOpenBare: boolean): void {
  (isOpenBare ? bare : informed).push(open);
  if (isOpenBare && !open.node.error) return;
  const group = open.node.error ? failed : ended;
  const alike = group.get(open.node.responseId);
  if (alike) alike.push(open);
  else group.set(open.node.responseId, [open]);
}

/** Marks the spans above that a span with tokens or a failure repeats inside of them. */
function markAbove({ ended, failed }: Alike, node: TraceNode): void {
  const tokens = hasTokens(node);
  if (tokens) markGroup(ended, node);
  if (tokens || node.error) markGroup(failed, node);
}

/** Marks the spans that name the response of `node` or none; all spans when `node` names none. */
function markGroup(group: ByResponse, node: TraceNode): void {
  for (const id of node.responseId === '' ? [...group.keys()] : ['', node.responseId]) {
    markAll(group.get(id) ?? [], node);
    group.delete(id);
  }
}

function markAll(spans: Open[], node: TraceNode): void {
  for (const { own } of spans) markRepeats(own, node);
  spans.length = 0;
}

/** Removes a span that is the last of a list. */
function removeLast(spans: Open[], own: ResolvedNode): boolean {
  if (spans.at(-1)?.own !== own) return false;
  spans.pop();
  return true;
}
