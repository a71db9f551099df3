import type { StoredTrace } from './stored-trace.ts';

/** Maximum spans and scores of a generation, and of a trace that is kept. */
const maxOfGeneration = 15_000;
const largestKept = 2_000;

/** By project, then by trace. */
type Generation = Map<string, Map<string, StoredTrace>>;

/**
 * A cache of the traces written last, in two generations: when the younger one is full, the older one is dropped as a whole. Keeping a trace is
 * one map entry, and no entry is moved or evicted on its own.
 */
export class RecentTraces {
  #young: Generation = new Map();
  #old: Generation = new Map();
  /** Spans and scores in the younger generation; replaced ones count again. */
  #held = 0;

  get(projectId: string, traceId: string): StoredTrace | undefined {
    return this.#young.get(projectId)?.get(traceId) ?? this.#old.get(projectId)?.get(traceId);
  }

  /** Keeps a trace. A trace that is too large is removed instead, so that no outdated copy remains. */
  keep(trace: StoredTrace): void {
    const { projectId, traceId, spans, scores } = trace;
    const size = spans.length + scores.length;
    if (size > largestKept) {
      this.forget(projectId, traceId);
      return;
    }
    if (this.#held + size > maxOfGeneration) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#held = 0;
    }
    this.#held += size;
    let ofProject = this.#young.get(projectId);
    if (!ofProject) this.#young.set(projectId, (ofProject = new Map()));
    ofProject.set(traceId, trace);
  }

  /** @param traceId null for all traces of the project */
  forget(projectId: string, traceId: string | null): void {
    if (traceId === null) {
      this.#young.delete(projectId);
      this.#old.delete(projectId);
      return;
    }
    this.#young.get(projectId)?.delete(traceId);
    this.#old.get(projectId)?.delete(traceId);
  }
}
