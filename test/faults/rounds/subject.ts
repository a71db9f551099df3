import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { startService } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import type { Caller } from './api.ts';
import { makeChanges } from './change-load.ts';
import { sendEvents } from './event-load.ts';
import { Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import { readOutcomes } from './read-outcomes.ts';
import { compareFigures, compareUsage, drained, readChanges, readEvaluations, readTraces } from './read-back.ts';
import type { Callers } from './template.ts';

/** Longer than the quiet time before an hour is sealed. */
const sealAheadMs = 120_000;
const sealBeatMs = 2_600;
const drainPatienceMs = 60_000;
/** Longer than the lease of an evaluation. */
const evaluationPatienceMs = 150_000;
const endPatienceMs = 60_000;

export interface SubjectOptions {
  dataDirectory: string;
  callers: Callers;
  random: Random;
  /** Environment of every start. */
  environment: Record<string, string>;
  /** Sets the offset of the service's clock; null when that is not possible. */
  setClock: ((offsetMs: number) => void) | null;
}

/** A service on one directory, across restarts, with a ledger of the requests sent to it. */
export class Subject {
  readonly ledger = new Ledger();
  readonly #options: SubjectOptions;
  #service: Service | null = null;
  #stopping = false;
  #load: Promise<unknown> = Promise.resolve();
  #clockOffsetMs = 0;
  /** Output of all its processes. */
  printed = '';

  constructor(options: SubjectOptions) {
    this.#options = options;
  }

  get dataDirectory(): string {
    return this.#options.dataDirectory;
  }

  get service(): Service {
    if (!this.#service) throw new Error('the service is not running');
    return this.#service;
  }

  get caller(): Caller {
    return { ...this.#options.callers.caller, url: this.service.url };
  }

  async start(environment: Record<string, string> = {}): Promise<void> {
    if (!(await this.startUnlessKilled(environment))) throw new Error('the service was killed while it started');
  }

  /** Starts it; returns false when a failpoint killed it before it was ready. */
  async startUnlessKilled(environment: Record<string, string> = {}): Promise<boolean> {
    const { dataDirectory } = this.#options;
    const env = { SPANWISE_LOG_LEVEL: 'error', ...this.#options.environment, ...environment };
    let child: ChildProcess | null = null;
    const onChild = (started: ChildProcess) => (child = started);
    const onOutput = (text: string) => (this.printed += text);
    try {
      this.#service = await startService({ dataDirectory, env, onOutput, onChild });
      return true;
    } catch (error) {
      if ((child as ChildProcess | null)?.signalCode !== 'SIGKILL') throw error;
      return false;
    }
  }

  /** Starts the load. It ends when the connection breaks, unless `persistent`. */
  load({ persistent }: { persistent: boolean }): void {
    const { callers, random } = this.#options;
    const common = { caller: this.caller, ledger: this.ledger, random, persistent, stopping: () => this.#stopping };
    this.#stopping = false;
    this.#load = Promise.all([
      ...callers.keys.map((apiKey, number) => sendEvents({ ...common, apiKey, number, nowMs: () => this.nowMs() })),
      makeChanges({ ...common, reader: () => this.caller }),
    ]);
    // Awaited later.
    this.#load.catch(() => undefined);
  }

  async stopLoad(): Promise<void> {
    this.#stopping = true;
    await this.#load;
  }

  /** The service's time. */
  nowMs(): number {
    return Date.now() + this.#clockOffsetMs;
  }

  setClock(offsetMs: number): void {
    this.#options.setClock?.(offsetMs);
    this.#clockOffsetMs = offsetMs;
  }

  get canSetClock(): boolean {
    return this.#options.setClock !== null;
  }

  /** Resolves with whether the process ended by itself within `withinMs`. */
  async ends(withinMs: number): Promise<boolean> {
    const { child } = this.service;
    const ended = new Promise<boolean>((resolve) => child.once('exit', () => resolve(true)));
    if (child.exitCode !== null || child.signalCode !== null) return true;
    return Promise.race([ended, delay(withinMs, false, { ref: false })]);
  }

  async kill(): Promise<void> {
    await this.service.stop('SIGKILL');
    await this.stopLoad();
  }

  /** Compares everything with the ledger; returns the differences. */
  async verify(): Promise<string[]> {
    const faults: string[] = [];
    const { ledger } = this;
    await drained(this.caller, drainPatienceMs);
    const events = await readTraces(this.caller, ledger, faults);
    await compareFigures(this.caller, events, this.nowMs(), faults, 'at once');
    await readOutcomes(this.caller, ledger, this.nowMs(), faults);
    await readChanges(this.caller, ledger, faults);
    const evaluated = events.filter((event) => event.type !== 'span' || !ledger.lostEvaluations.has(event.spanId));
    await readEvaluations(this.caller, evaluated, faults, evaluationPatienceMs);
    await compareUsage(this.caller, ledger, this.#options.callers.used, faults);
    if (this.canSetClock) {
      this.setClock(this.#clockOffsetMs + sealAheadMs);
      await delay(sealBeatMs);
      await compareFigures(this.caller, events, this.nowMs(), faults, 'when sealed');
    }
    for (const surprise of ledger.surprises()) faults.push(`unexpected answer: ${surprise}`);
    return faults;
  }

  /** Stops the service with SIGTERM; returns what went wrong. */
  async end(): Promise<string[]> {
    const ended = await Promise.race([this.service.stop('SIGTERM'), delay(endPatienceMs, 'late' as const, { ref: false })]);
    if (ended === 'late') this.service.child.kill('SIGKILL');
    return ended === 0 ? [] : [`SIGTERM ended it with ${ended}`];
  }

  /** Kills the service if it is running. */
  async dispose(): Promise<void> {
    this.#stopping = true;
    if (this.#service) await this.#service.stop('SIGKILL');
    await this.#load.catch(() => undefined);
  }
}
