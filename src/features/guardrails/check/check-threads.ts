import { availableParallelism } from 'node:os';
import { failedCheck } from '../../../../packages/guardrails/src/index.ts';
import type { CheckRequest } from '../../../../packages/guardrails/src/index.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { turnLimits, Turns } from '../../../platform/budgets/index.ts';
import { WorkerThread } from '../../../platform/thread-rpc/index.ts';
import type { ProjectPolicies } from '../policies/project-policies.ts';
import type { CheckedText, CheckFunctions } from './check-worker.ts';
import { bundleKey, heldLength } from './compiled-bundles.ts';

/** Longest time of a check in a thread: its steps take at most 5 s on a slow machine. */
const limitMs = 15_000;
/** UTF-16 units of the texts that wait. */
const maxWaitingLength = 64 * 1_048_576;

type Thread = WorkerThread<CheckFunctions>;

interface Task {
  policies: ProjectPolicies;
  request: CheckRequest;
}

export interface CheckThreadsOptions {
  /** Number of threads; by default one less than the processor has cores, 2 to 4. One project has all but one of them. */
  threads?: number;
  /** Longest time of a check, in milliseconds. */
  limitMs?: number;
  /** The program of a thread; for tests. */
  program?: URL;
}

/**
 * Checks texts in threads, so that the event loop serves other requests meanwhile. Threads start when they are first needed. One that does not
 * answer in time, or that ends, is replaced; every local guardrail of its check has failed. Projects take turns.
 */
export class CheckThreads {
  readonly #size: number;
  readonly #limitMs: number;
  readonly #program: URL;
  readonly #turns: Turns;
  readonly #idle: Thread[] = [];
  readonly #threads = new Set<Thread>();
  /** Threads that have loaded the engine; time limits start then. */
  readonly #ready = new WeakSet<Thread>();
  #waitingLength = 0;
  #closed = false;

  constructor(options: CheckThreadsOptions = {}) {
    this.#size = options.threads ?? Math.min(4, Math.max(2, availableParallelism() - 1));
    const runningOfOne = Math.max(1, this.#size - 1);
    this.#turns = new Turns({ ...turnLimits.textChecks, running: this.#size, runningOfOne }, { busy: tooMany });
    this.#limitMs = options.limitMs ?? limitMs;
    this.#program = options.program ?? new URL('./check-worker.ts', import.meta.url);
  }

  /** Checks that wait for a thread. */
  get waiting(): number {
    return this.#turns.load.waiting;
  }

  /**
   * Checks a text.
   *
   * Errors: `unavailable` when too many checks wait.
   */
  async check(policies: ProjectPolicies, request: CheckRequest): Promise<CheckedText> {
    const { length } = request.text;
    if (this.#closed || this.#waitingLength + length > maxWaitingLength) throw tooMany();
    let waiting = length;
    const waited = () => {
      this.#waitingLength -= waiting;
      waiting = 0;
    };
    this.#waitingLength += length;
    try {
      return await this.#turns.run(policies.projectId, () => {
        waited();
        const thread = this.#idle.pop() ?? this.#newThread();
        return this.#run(thread, { policies, request });
      });
    } finally {
      waited();
    }
  }

  /** Ends the threads; checks in progress fail. */
  async close(): Promise<void> {
    this.#closed = true;
    const closing = new ServiceError('unavailable', 'The service is shutting down; send this again.', { retryAfterSeconds: 5 });
    this.#turns.refuseWaiting(() => closing);
    await Promise.all([...this.#threads].map((thread) => thread.terminate(closing)));
  }

  #newThread(): Thread {
    const thread: Thread = new WorkerThread<CheckFunctions>(this.#program, {
      name: 'a thread that checks texts',
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    this.#threads.add(thread);
    return thread;
  }

  async #run(thread: Thread, task: Task): Promise<CheckedText> {
    thread.keepAlive(true);
    try {
      return await this.#checkIn(thread, task);
    } catch (error) {
      await thread.terminate();
      if (this.#closed) throw error;
      return failedCheck(task.policies, task.request, failureOf(error));
    } finally {
      thread.keepAlive(false);
      if (thread.failure === null) this.#idle.push(thread);
      else this.#threads.delete(thread);
    }
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

function tooMany(): ServiceError {
  return new ServiceError('unavailable', 'Too many long texts wait to be checked; send this again in a moment.', {
    retryAfterSeconds: 1,
  });
}

class OutOfTime extends Error {}

function failureOf(error: unknown): string {
  return error instanceof OutOfTime
    ? 'The check took more than its time budget.'
    : 'The check ended early; shorten the text or simplify the guardrail.';
}
