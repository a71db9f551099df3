/** The runs that this process executes: how cancelling and shutting down reach them. */
export class RunningRuns {
  readonly #cancels = new Map<string, AbortController>();
  readonly #stopping = new AbortController();

  /** Aborts when the process shuts down. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Registers a run. @returns a signal that aborts when the run is cancelled by this process, and a function to be called at its end */
  enter(runId: string): { cancelled: AbortController; leave(): void } {
    const cancelled = new AbortController();
    this.#cancels.set(runId, cancelled);
    return {
      cancelled,
      leave: () => {
        if (this.#cancels.get(runId) === cancelled) this.#cancels.delete(runId);
      },
    };
  }

  /** Cancels a run if this process executes it; another process sees it in the database. */
  cancel(runId: string): void {
    this.#cancels.get(runId)?.abort();
  }

  /** Lets every run end early, to be resumed by another process. */
  stop(): void {
    this.#stopping.abort();
  }
}
