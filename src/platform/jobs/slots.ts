export interface SlotLimits {
  /** Maximum tasks in progress in this process. */
  maxRunning: number;
  /** Maximum tasks of one project in progress in this process, so that tasks that hang delay only their own project. */
  maxRunningOfProject: number;
  /** Tasks of one project that wait for a slot. */
  maxWaitingOfProject: number;
  /** Tasks that wait for a slot. */
  maxWaiting: number;
}

/** The errors of tasks that were not started. */
export interface SlotErrors {
  /** Too many wait. */
  busy(): Error;
  /** The signal aborted before there was a slot. */
  aborted(): Error;
}

interface Waiting {
  projectId: string;
  start(): void;
}

/** Limits the tasks of one kind in progress in this process. Further tasks wait in a bounded queue; when it is full they are refused. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #errors: SlotErrors;
  readonly #runningOf = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(limits: SlotLimits, errors: SlotErrors) {
    this.#limits = limits;
    this.#errors = errors;
  }

  /** Runs `work` when there is a slot for the project. Errors: `busy` and `aborted` of {@link SlotErrors}. */
  async run<T>(projectId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#hasRoom(projectId)) this.#take(projectId);
    else await this.#wait(projectId, signal);
    try {
      return await work();
    } finally {
      this.#release(projectId);
    }
  }

  async #wait(projectId: string, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, maxWaitingOfProject } = this.#limits;
    const ofProject = this.#waiting.filter((waiting) => waiting.projectId === projectId).length;
    if (this.#waiting.length >= maxWaiting || ofProject >= maxWaitingOfProject) throw this.#errors.busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { projectId, start: resolve };
    const abort = () => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(this.#errors.aborted());
    };
    if (signal?.aborted) abort();
    else this.#waiting.push(waiting);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  #hasRoom(projectId: string): boolean {
    const { maxRunning, maxRunningOfProject } = this.#limits;
    return this.#running < maxRunning && (this.#runningOf.get(projectId) ?? 0) < maxRunningOfProject;
  }

  #take(projectId: string): void {
    this.#running += 1;
    this.#runningOf.set(projectId, (this.#runningOf.get(projectId) ?? 0) + 1);
  }

  #release(projectId: string): void {
    this.#running -= 1;
    const left = (this.#runningOf.get(projectId) ?? 0) - 1;
    if (left > 0) this.#runningOf.set(projectId, left);
    else this.#runningOf.delete(projectId);
    // The first waiting task whose project is below its limit; one release starts one task.
    const next = this.#waiting.findIndex((waiting) => this.#hasRoom(waiting.projectId));
    if (next < 0) return;
    const [waiting] = this.#waiting.splice(next, 1);
    if (!waiting) return;
    this.#take(waiting.projectId);
    waiting.start();
  }
}
