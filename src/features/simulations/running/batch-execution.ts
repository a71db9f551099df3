import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { LeaseLost } from '../../../platform/jobs/leased-queue/index.ts';
import type { Turns } from '../../../platform/budgets/index.ts';
import type { BatchRunJob } from '../batch-runs/run-queue.ts';
import { changedAtOnce } from '../batch-runs/end-items.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { ItemFeed } from './item-feed.ts';
import type { PendingItem } from './item-feed.ts';
import type { PreparedRun } from './prepare-run.ts';
import { recordResults } from './record-results.ts';
import { Recorder } from './recorder.ts';
import { evaluateItem, sendItem } from './run-item.ts';

/** How long answers to items that were sent are awaited when a run is cancelled, and when the process shuts down. Milliseconds. */
const cancelGraceMs = 5_000;
const stopGraceMs = 3_000;

/** No slot was free before the run ended. */
export class SlotAborted extends Error {}

/** One attempt to execute a run: as many items at a time as the run says. */
export class BatchExecution {
  readonly #context: SimulationsContext;
  readonly #slots: Turns;
  readonly #run: PreparedRun;
  readonly #feed: ItemFeed;
  readonly #recorder: Recorder;
  /** Aborts what is in progress. */
  readonly #halt = new AbortController();
  /** Aborts what waits to be sent. */
  readonly #noMore = new AbortController();
  /** Items that were taken and are not recorded. */
  readonly #open = new Set<PendingItem>();
  readonly #lost: AbortSignal;
  readonly #stopping: AbortSignal;
  #failure: unknown = null;

  constructor(
    context: SimulationsContext,
    slots: Turns,
    run: PreparedRun,
    job: BatchRunJob,
    { lost, stopping }: { lost: AbortSignal; stopping: AbortSignal },
  ) {
    this.#context = context;
    this.#slots = slots;
    this.#run = run;
    this.#lost = lost;
    this.#stopping = stopping;
    this.#feed = new ItemFeed(context.db, run.id);
    this.#recorder = new Recorder((results) => recordResults(context, run, job, results), lost);
  }

  /** The process shuts down: items may be left. */
  get stopped(): boolean {
    return this.#stopping.aborted;
  }

  /** Sends no more items; those that were sent are awaited for some seconds. Marks the others as cancelled. */
  cancel(): void {
    this.#end(cancelGraceMs);
    void this.#cancelUnsent().catch((error: unknown) => this.#fail(error));
  }

  /**
   * Sends, evaluates and records until no item is left, the run is cancelled or lost, or the process shuts down.
   *
   * Errors: {@link LeaseLost}; of the database; faults.
   */
  async run(): Promise<void> {
    const lose = () => this.#fail(new LeaseLost());
    const stop = () => this.#end(stopGraceMs);
    this.#lost.addEventListener('abort', lose, { once: true });
    this.#stopping.addEventListener('abort', stop, { once: true });
    if (this.#lost.aborted) lose();
    if (this.#stopping.aborted) stop();
    try {
      await Promise.all(Array.from({ length: this.#run.concurrency }, () => this.#work()));
      await this.#recorder.drain();
    } finally {
      this.#halt.abort();
      this.#lost.removeEventListener('abort', lose);
      this.#stopping.removeEventListener('abort', stop);
    }
    if (this.#failure !== null) throw this.#failure;
  }

  /** Takes one item after the other. Never rejects: the first failure ends all. */
  async #work(): Promise<void> {
    try {
      for (let item = await this.#feed.next(); item; item = await this.#feed.next()) {
        this.#open.add(item);
        await this.#one(item);
      }
    } catch (error) {
      // A slot that was refused while items are still to be sent would leave them.
      if (!(error instanceof SlotAborted && this.#noMore.signal.aborted)) this.#fail(error);
    }
  }

  async #one(item: PendingItem): Promise<void> {
    const { asksModels } = this.#run;
    // undefined: answered before the run was interrupted.
    const result =
      item.answer === null
        ? await this.#slots.run(
            this.#run.projectId,
            () => sendItem(this.#context, this.#run, item, this.#halt.signal),
            this.#noMore.signal,
          )
        : undefined;
    if (result === null) return;
    const recorded = () => void this.#open.delete(item);
    if (result?.status === 'error') return this.#recorder.add(result, recorded);
    // Evaluators that ask models may take minutes.
    if (result && asksModels) await this.#recorder.record(result);
    const answer = result?.answer ?? item.answer;
    if (!answer || answer.output === null) throw new Error('an item that was answered has no output');
    const { output, latencyMs, costUsd } = answer;
    const evaluated = await evaluateItem(this.#context, this.#run, item, { output, latencyMs, costUsd }, this.#halt.signal);
    // An evaluator that was interrupted has not failed.
    if (this.#halt.signal.aborted && evaluated.errorKind !== null) return;
    await this.#recorder.add({ item, answer: asksModels ? null : (result?.answer ?? null), ...evaluated }, recorded);
  }

  #end(graceMs: number): void {
    this.#feed.end();
    this.#noMore.abort();
    void wait(graceMs, undefined, { signal: this.#halt.signal, ref: false })
      .then(() => this.#halt.abort())
      .catch(() => undefined);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#feed.end();
    this.#noMore.abort();
    this.#halt.abort();
  }

  async #cancelUnsent(): Promise<void> {
    const open = [...this.#open];
    const { id } = this.#run;
    for (let changed = changedAtOnce; changed === changedAtOnce;) {
      const { numAffectedRows } = await sql`UPDATE simulation_items AS item SET status = 'cancelled' FROM (
          SELECT place, repetition FROM simulation_items AS unsent
          WHERE batch_run_id = ${id}::uuid AND status = 'pending' AND NOT answered AND NOT EXISTS (
            SELECT 1 FROM unnest(${open.map(({ place }) => place)}::bigint[], ${open.map(({ repetition }) => repetition)}::int[])
              AS open (place, repetition)
            WHERE open.place = unsent.place AND open.repetition = unsent.repetition)
          ORDER BY place, repetition LIMIT ${changedAtOnce}
        ) AS slice
        WHERE item.batch_run_id = ${id}::uuid AND item.place = slice.place AND item.repetition = slice.repetition
          AND item.status = 'pending'`.execute(this.#context.db);
      changed = Number(numAffectedRows ?? 0);
    }
  }
}
