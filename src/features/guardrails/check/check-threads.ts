import { availableParallelism } from 'node:os';
import { failedCheck } from '../../../../packages/guardrails/src/index.ts';
import type { CheckRequest } from '../../../../packages/guardrails/src/index.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { WorkerThread } from '../../../platform/thread-rpc/index.ts';
import type { CheckedText, CheckFunctions } from './check-worker.ts';
import { bundleKey, heldLength } from './compiled-bundles.ts';
import type { ProjectPolicies } from './project-policies.ts';

/** Longest time of a check in a thread: its steps take at most 5 s on a slow machine. */
const limitMs = 15_000;
/** Checks that wait for a thread, and those of one project. */
const maxWaiting = 400;
const maxWaitingOfProject = 200;
/** UTF-16 units of the texts that wait. */
const maxWaitingLength = 64 * 1_048_576;

type Thread = WorkerThread<CheckFunctions>;

interface Task {
  policies: ProjectPolicies;
  request: CheckRequest;
  resolve(outcome: CheckedText): void;
  reject(error: unknown): void;
}

export interface CheckThreadsOptions {
  /** Number of threads; by default one less than the processor has cores, 1 to 4. */
  threads?: number;
  /** Longest time of a check, in milliseconds. */
  limitMs?: number;
  /** The program of a thread; for tests. */
  program?: URL;
}

/**
 * Checks texts in threads, so that the event loop serves other requests meanwhile. Threads start when they are first needed. One that does not
 * answer in time, or that ends, is replaced; every local guardrail of its check has failed.
 */
export class CheckThreads {
  readonly #size: number;
  readonly #limitMs: number;
  readonly #program: URL;
  readonly #waiting: Task[] = [];
  readonly #idle: Thread[] = [];
  readonly #threads = new Set<Thread>();
  /** Threads that have loaded the engine; time limits start then. */
  readonly #ready = new WeakSet<Thread>();
  #waitingLength = 0;
  #lastProject = '';
  #closed = false;

  constructor(options: CheckThreadsOptions = {}) {
    this.#size = options.threads ?? Math.min(4, Math.max(1, availableParallelism() - 1));
    this.#limitMs = options.limitMs ?? limitMs;
    this.#program = options.program ?? new URL('./check-worker.ts', import.meta.url);
  }

  /** Checks that wait for a thread. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Checks a text.
   *
   * Errors: `unavailable` when too many checks wait.
   */
  check(policies: ProjectPolicies, request: CheckRequest): Promise<CheckedText> {
    const ofProject = this.#waiting.filter((task) => task.policies.projectId === policies.projectId).length;
    const isFull = this.#waiting.length >= maxWaiting || ofProject >= maxWaitingOfProject;
    if (this.#closed || isFull || this.#waitingLength + request.text.length > maxWaitingLength) {
      return Promise.reject(
        new ServiceError('unavailable', 'Too many long texts wait to be checked; send this again in a moment.', {
          retryAfterSeconds: 1,
        }),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ policies, request, resolve, reject });
      this.#waitingLength += request.text.length;
      this.#start();
    });
  }

  /** Ends the threads; checks in progress fail. */
  async close(): Promise<void> {
    this.#closed = true;
    const closing = new ServiceError('unavailable', 'The service is shutting down; send this again.', { retryAfterSeconds: 5 });
    for (const { reject } of this.#waiting.splice(0)) reject(closing);
    await Promise.all([...this.#threads].map((thread) => thread.terminate(closing)));
  }

  /** Gives waiting tasks to idle threads, those of another project than the last one first. */
  #start(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#idle.pop() ?? this.#newThread();
      if (!thread) return;
      const next = this.#waiting.findIndex((waiting) => waiting.policies.projectId !== this.#lastProject);
      const [task] = this.#waiting.splice(Math.max(0, next), 1);
      if (!task) return;
      this.#lastProject = task.policies.projectId;
      this.#waitingLength -= task.request.text.length;
      void this.#run(thread, task);
    }
  }

  #newThread(): Thread | null {
    if (this.#threads.size >= this.#size) return null;
    const thread: Thread = new WorkerThread<CheckFunctions>(this.#program, {
      name: 'a thread that checks texts',
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    this.#threads.add(thread);
    return thread;
  }

  async #run(thread: Thread, task: Task): Promise<void> {
    thread.keepAlive(true);
    try {
      task.resolve(await this.#checkIn(thread, task));
    } catch (error) {
      await thread.terminate();
      if (this.#closed) task.reject(error);
      else task.resolve(failedCheck(task.policies, task.request, failureOf(error)));
    }
    thread.keepAlive(false);
    if (thread.failure === null) this.#idle.push(thread);
    else this.#threads.delete(thread);
    if (!this.#closed) this.#start();
  }

  async #checkIn(thread: Thread, { policies, request }: Task): Promise<CheckedText> {
    if (!this.#ready.has(thread)) await thread.call('ready');
    this.#ready.add(thread);
    const key = bundleKey(policies);
    const limit = { ms: this.#limitMs, error: new OutOfTime() };
    const outcome = await thread.callWithin(limit, 'check', key, request);
    if (outcome) return outcome;
    await thread.callWithin(limit, 'load', key, policies.guardrails, heldLength(policies));
    const checked = await thread.callWithin(limit, 'check', key, request);
    if (!checked) throw new Error('a thread lost the guardrails that it had loaded');
    return checked;
  }
}

class OutOfTime extends Error {}

function failureOf(error: unknown): string {
  return error instanceof OutOfTime
    ? 'The check took more than its time budget.'
    : 'The check ended early; shorten the text or simplify the guardrail.';
}
