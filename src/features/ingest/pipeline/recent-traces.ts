import type { StoredTrace } from './stored-traces.ts';

/** Spans and scores that a generation holds, and the largest trace that is kept. */
const mostOfGeneration = 15_000;
const largestKept = 2_000;

/** By project, then by trace. */
type Generation = Map<string, Map<string, StoredTrace>>;

/**
 * The traces that were written last. Two generations: when the younger one is full the older one is forgotten as a whole, so that keeping a
 * trace is one entry in a map, and nothing is moved or deleted one by one.
 */
export class RecentTraces {
  #young: Generation = new Map();
  #old: Generation = new Map();
  /** Spans and scores in the younger one, replaced ones counted again. */
  #held = 0;

  get(projectId: string, traceId: string): StoredTrace | undefined {
    return this.#young.get(projectId)?.get(traceId) ?? this.#old.get(projectId)?.get(traceId);
  }

  /** Keeps a trace, or forgets it when it is too large: its earlier form must not be taken for the present one. */
  keep(trace: StoredTrace): void {
    const { projectId, traceId, spans, scores } = trace;
    const size = spans.length + scores.length;
    if (size > largestKept) {
      this.forget(projectId, traceId);
      return;
    }
    if (this.#held + size > mostOfGeneration) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#held = 0;
    }
    this.#held += size;
    let ofProject = this.#young.get(projectId);
    if (!ofProject) this.#young.set(projectId, (ofProject = new Map()));
    ofProject.set(traceId, trace);
  }

  forget(projectId: string, traceId: string): void {
    this.#young.get(projectId)?.delete(traceId);
    this.#old.get(projectId)?.delete(traceId);
  }
}
