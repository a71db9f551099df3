import type { DeletionStore, HiddenTrace } from './deletion-store.ts';

/** The deletions of a process, without a database. */
export class MemoryDeletions implements Pick<DeletionStore, 'begin' | 'hide' | 'begun' | 'hidden' | 'end'> {
  readonly #traces = new Map<string, HiddenTrace & { isHidden: boolean }>();

  begin: DeletionStore['begin'] = (projectId, traceIds, version) => {
    for (const traceId of traceIds) {
      const before = this.#traces.get(`${projectId} ${traceId}`)?.version ?? 0;
      this.#traces.set(`${projectId} ${traceId}`, { projectId, traceId, version: Math.max(before, version), isHidden: false });
    }
    return Promise.resolve();
  };

  hide(projectId: string, traceIds: readonly string[]): Promise<void> {
    for (const traceId of traceIds) {
      const trace = this.#traces.get(`${projectId} ${traceId}`);
      if (trace) trace.isHidden = true;
    }
    return Promise.resolve();
  }

  begun(): Promise<[]> {
    return Promise.resolve([]);
  }

  hidden(limit: number): Promise<HiddenTrace[]> {
    return Promise.resolve([...this.#traces.values()].filter(({ isHidden }) => isHidden).slice(0, limit));
  }

  end(traces: readonly HiddenTrace[]): Promise<void> {
    for (const { projectId, traceId } of traces) this.#traces.delete(`${projectId} ${traceId}`);
    return Promise.resolve();
  }
}
