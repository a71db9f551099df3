/** The fields of a span that decide whether it repeats another one. */
export interface RepeatingNode {
  /** The span failed. */
  error: boolean;
  /** `''`: none. */
  responseId: string;
  inputTokens: number | null;
  outputTokens: number | null;
}

/** A span of the path, which is marked when it repeats a descendant. */
export interface Marked {
  repeats: boolean;
}

/** Spans by response id, innermost last. */
type ByResponse = Map<string, Marked[]>;

/**
 * The spans on the path to a span that have its kind and model and do not repeat a descendant yet. Grouped by outcome and response id, so that a
 * descendant visits only spans that repeat it: linear time over the whole trace, also for one long chain.
 */
export class OpenAncestors {
  readonly #failed: ByResponse = new Map();
  readonly #others: ByResponse = new Map();

  /** Marks the ancestors that repeat this span (docs/semantics.md, "Repeated calls"), and adds it to the path. */
  enter(node: RepeatingNode, own: Marked): void {
    const tokens = (node.inputTokens ?? 0) > 0 || (node.outputTokens ?? 0) > 0;
    if (tokens) markRepeats(this.#others, node.responseId);
    if (tokens || node.error) markRepeats(this.#failed, node.responseId);
    const group = this.#groupOf(node);
    const alike = group.get(node.responseId);
    if (alike) alike.push(own);
    else group.set(node.responseId, [own]);
  }

  /** Removes a span from the path, unless it was marked. */
  leave(node: RepeatingNode, own: Marked): void {
    const group = this.#groupOf(node);
    const alike = group.get(node.responseId);
    if (alike?.at(-1) !== own) return;
    alike.pop();
    if (alike.length === 0) group.delete(node.responseId);
  }

  #groupOf(node: RepeatingNode): ByResponse {
    return node.error ? this.#failed : this.#others;
  }
}

/** Marks the spans that name the response `responseId` or none; all spans when it is `''`. */
function markRepeats(group: ByResponse, responseId: string): void {
  const marked = responseId === '' ? [...group.keys()] : ['', responseId];
  for (const id of marked) {
    for (const ancestor of group.get(id) ?? []) ancestor.repeats = true;
    group.delete(id);
  }
}
