import { Lane } from '../../../platform/jobs/lane.ts';
import { PeriodicJobs } from '../../../platform/jobs/periodic.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import type { LaneName } from '../tables.ts';
import { Claims, leaseMs, renewLeases } from './claim.ts';
import type { ProjectClaim } from './claim.ts';
import { recover } from './recover.ts';
import { release } from './release.ts';
import { runClaim } from './run-claim.ts';

export interface RunnerOptions {
  /** No other process runs evaluations of this database. */
  alone: boolean;
  /** Told of what is no failure of an evaluator. */
  onError(error: unknown): void;
}

/** Evaluations that a quick run takes at once: they are read and written together. */
const batchSize = 25;
const quickConcurrency = 2;
/** Models that are asked at once by one process, and for one project: an endpoint that does not answer holds up its own project alone. */
const judgeConcurrency = 16;
const judgeConcurrencyOfProject = 4;
/** Between two looks for work that other processes queued or that has become due; a process alone is woken for all that is queued. */
const pollMs = { shared: 1_000, alone: 5_000 };
const recoverEveryMs = 30_000;
const graceMs = 5_000;

/** Runs queued evaluations in this process: the quick ones and those that ask a model, each in a lane of its own. */
export class EvaluationRunner {
  readonly #context: EvaluationContext;
  readonly #options: RunnerOptions;
  readonly #lanes: readonly Lane[];
  readonly #claims: Claims;
  /** What runs here, by its id. */
  readonly #held = new Map<string, { lane: LaneName; projectId: string }>();
  readonly #upkeep: PeriodicJobs;

  constructor(context: EvaluationContext, options: RunnerOptions) {
    this.#context = context;
    this.#options = options;
    this.#claims = new Claims(context.db);
    const lane = (concurrency: number, take: (most: number) => Promise<Array<() => Promise<void>>>) =>
      new Lane({ concurrency, pollMs: options.alone ? pollMs.alone : pollMs.shared, take, onError: options.onError });
    this.#lanes = [
      lane(quickConcurrency, () => this.#take('quick', batchSize, quickConcurrency * batchSize, (claim) => [claim])),
      lane(judgeConcurrency, (most) => this.#take('judge', most, judgeConcurrencyOfProject, separately)),
    ];
    this.#upkeep = new PeriodicJobs((_job, error) => options.onError(error));
  }

  start(): void {
    const { db, clock, signal } = this.#context;
    signal.listen(() => this.wake());
    // At once when nobody else can hold any: a restart goes on where the process before was killed.
    if (this.#options.alone) void this.#recover(true).then(() => this.#startLanes());
    else this.#startLanes();
    this.#upkeep.start({
      name: 'evaluation-leases',
      everyMs: leaseMs / 3,
      run: () => renewLeases(db, [...this.#held.keys()], clock.now()),
    });
    this.#upkeep.start({ name: 'evaluation-recovery', everyMs: recoverEveryMs, run: () => this.#recover(false) });
  }

  /** Says that something was queued. */
  wake(): void {
    for (const lane of this.#lanes) lane.wake();
  }

  /** Runs everything that is due now; of a runner that was not started. @returns pieces of work done */
  async runPending(): Promise<number> {
    await this.#recover(false);
    let done = 0;
    for (const lane of this.#lanes) done += await lane.drain();
    return done;
  }

  /** Takes no more, waits some seconds for what runs, and gives back the rest. */
  async stop(): Promise<void> {
    await Promise.all([this.#upkeep.stop(), ...this.#lanes.map((lane) => lane.stop(graceMs))]);
    await release(this.#context.db, [...this.#held.keys()]).catch((error: unknown) => this.#options.onError(error));
  }

  #startLanes(): void {
    for (const lane of this.#lanes) lane.start();
  }

  async #recover(all: boolean): Promise<void> {
    try {
      if ((await recover(this.#context.db, this.#context.clock.now(), all)) > 0) this.wake();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #take(
    lane: LaneName,
    most: number,
    mostOfProject: number,
    split: (claim: ProjectClaim) => readonly ProjectClaim[],
  ): Promise<Array<() => Promise<void>>> {
    const underWay = new Map<string, number>();
    for (const held of this.#held.values())
      if (held.lane === lane) underWay.set(held.projectId, (underWay.get(held.projectId) ?? 0) + 1);
    const claim = await this.#claims.take(lane, { most, mostOfProject, underWay }, this.#context.clock.now());
    if (!claim) return [];
    for (const { id } of claim.claimed) this.#held.set(id, { lane, projectId: claim.projectId });
    return split(claim).map((part) => () => this.#run(part));
  }

  async #run(claim: ProjectClaim): Promise<void> {
    try {
      await runClaim(this.#context, claim, this.#options);
    } finally {
      for (const { id } of claim.claimed) this.#held.delete(id);
    }
  }
}

function separately({ projectId, claimed }: ProjectClaim): ProjectClaim[] {
  return claimed.map((one) => ({ projectId, claimed: [one] }));
}
