import { ModelError } from './model-error.ts';

export interface SlotLimits {
  /** Maximum questions in progress in this process. */
  maxRunning: number;
  /** Maximum questions of one project in progress in this process, so that a server that does not answer delays only its own project. */
  maxRunningOfProject: number;
  /** Questions of one project that wait for a slot. */
  maxWaitingOfProject: number;
  /** Questions that wait for a slot. */
  maxWaiting: number;
}

interface Waiting {
  projectId: string;
  start(): void;
}

/** Limits the questions in progress in this process. Further questions wait in a bounded queue; when it is full they are refused. */
export class QuestionSlots {
  readonly #limits: SlotLimits;
  readonly #runningOf = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `ask` when there is a slot for the project.
   *
   * Errors: retryable {@link ModelError}: `busy` when too many questions wait, `unavailable` when the signal aborts before there is a slot.
   */
  async run<T>(projectId: string, ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#hasRoom(projectId)) this.#take(projectId);
    else await this.#wait(projectId, signal);
    try {
      return await ask();
    } finally {
      this.#release(projectId);
    }
  }

  async #wait(projectId: string, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, maxWaitingOfProject } = this.#limits;
    const ofProject = this.#waiting.filter((waiting) => waiting.projectId === projectId).length;
    if (this.#waiting.length >= maxWaiting || ofProject >= maxWaitingOfProject)
      throw new ModelError('busy', 'Too many questions to models are under way; try again later.', { retryable: true });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { projectId, start: resolve };
    const abort = () => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(new ModelError('unavailable', 'The question was cancelled.', { retryable: true }));
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
    // The first waiting question whose project is below its limit; one release starts one question.
    const next = this.#waiting.findIndex((waiting) => this.#hasRoom(waiting.projectId));
    if (next < 0) return;
    const [waiting] = this.#waiting.splice(next, 1);
    if (!waiting) return;
    this.#take(waiting.projectId);
    waiting.start();
  }
}
