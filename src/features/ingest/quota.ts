import { ServiceError } from '../../contract/errors.ts';
import { plans } from '../../contract/plans.ts';
import type { Plan } from '../../contract/plans.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { IngestPipeline } from '../trace-store/index.ts';
import type { UsageStore } from '../trace-store/index.ts';

/** Milliseconds for which a count from the database, shared with other replicas, is used while it is far from the limit. */
const freshMs = 2_000;
/** The share of the limit above which every request reads the database. */
const nearLimit = 0.9;
const maxTallies = 10_000;
/** Milliseconds after which the database counts as one that does not answer. */
const patienceOfDatabaseMs = 500;

export interface QuotaState {
  used: number;
  limit: number;
  /** The start of the next month (UTC), epoch milliseconds. */
  resetsAtMs: number;
}

/** An organization's use of a month, as known to this process. */
interface Tally {
  /** Counted in the database plus pending in this process, at `at`. */
  base: number;
  /** Taken by this process since. */
  taken: number;
  at: number;
}

/**
 * The monthly event quota of an organization, counted over both ingestion endpoints (docs/semantics.md, "Event quota"). A request is refused only if
 * the month's quota was already used up; a request that starts below the limit is accepted whole. A replica sees the events of others once they are
 * in ClickHouse.
 */
export class Quota {
  readonly #usage: Pick<UsageStore, 'eventsOfMonth'>;
  readonly #pipeline: Pick<IngestPipeline, 'uncountedEvents'>;
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #tallies = new Map<string, Tally>();
  readonly #loading = new Map<string, Promise<Tally>>();

  constructor(
    usage: Pick<UsageStore, 'eventsOfMonth'>,
    pipeline: Pick<IngestPipeline, 'uncountedEvents'>,
    clock: Clock,
    patienceMs = patienceOfDatabaseMs,
  ) {
    this.#patienceMs = patienceMs;
    this.#usage = usage;
    this.#pipeline = pipeline;
    this.#clock = clock;
  }

  async state(organizationId: string, plan: Plan): Promise<QuotaState> {
    const { base, taken } = await this.#tally(organizationId, plan);
    return { used: base + taken, limit: plans[plan].monthlyEvents, resetsAtMs: this.#resetsAtMs() };
  }

  /**
   * Takes events from the quota, just before the pipeline accepts them. Do not await between the two: the next count would miss the events.
   *
   * Errors: `quota_exceeded`.
   *
   * @returns refunds the events if they are not accepted
   */
  async take(organizationId: string, plan: Plan, events: number): Promise<() => void> {
    const tally = await this.#tally(organizationId, plan);
    const limit = plans[plan].monthlyEvents;
    if (tally.base + tally.taken >= limit) {
      throw new ServiceError(
        'quota_exceeded',
        `The organization has used its ${limit} events of this month; wait for the next month or ask your operator for a larger plan.`,
        { retryAfterSeconds: (this.#resetsAtMs() - this.#clock.now()) / 1000 },
      );
    }
    tally.taken += events;
    return () => {
      tally.taken -= events;
    };
  }

  async #tally(organizationId: string, plan: Plan): Promise<Tally> {
    const now = this.#clock.now();
    const month = `${new Date(now).toISOString().slice(0, 7)}-01`;
    const key = `${organizationId} ${month}`;
    const known = this.#tallies.get(key);
    const isNear = known && known.base + known.taken >= plans[plan].monthlyEvents * nearLimit;
    const fresh = known && now >= known.at && now - known.at < freshMs;
    if (fresh && !isNear) return known;
    // Concurrent requests share one load.
    const loading = this.#loading.get(key) ?? this.#load(key, organizationId, month, known);
    this.#loading.set(key, loading);
    return known && !isNear ? this.#inTime(loading, known) : loading;
  }

  /** A tally that is being loaded; the known one where the database does not answer in time, such as behind a long statement. */
  async #inTime(loading: Promise<Tally>, known: Tally): Promise<Tally> {
    const late = Promise.withResolvers<Tally>();
    const timer = setTimeout(() => {
      known.at = this.#clock.now();
      late.resolve(known);
    }, this.#patienceMs);
    try {
      return await Promise.race([loading, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #load(key: string, organizationId: string, month: string, known: Tally | undefined): Promise<Tally> {
    try {
      const counted = await this.#usage.eventsOfMonth(organizationId, month);
      const tally = { base: counted + this.#pipeline.uncountedEvents(organizationId, month), taken: 0, at: this.#clock.now() };
      this.#tallies.delete(key);
      this.#tallies.set(key, tally);
      this.#forgetOldest();
      return tally;
    } catch (cause) {
      // While the database restarts, an outdated count is better than rejected events.
      if (known) return known;
      throw new ServiceError('unavailable', 'The service cannot look up your quota just now; send this again in a few seconds.', {
        retryAfterSeconds: 5,
        cause,
      });
    } finally {
      this.#loading.delete(key);
    }
  }

  #forgetOldest(): void {
    if (this.#tallies.size <= maxTallies) return;
    const oldest = this.#tallies.keys().next();
    if (!oldest.done) this.#tallies.delete(oldest.value);
  }

  #resetsAtMs(): number {
    const now = new Date(this.#clock.now());
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  }
}
