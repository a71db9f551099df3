import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import type { QueueMetrics } from '../jobs/leased-queue/index.ts';

/** The counters of leased queues, labelled with the queue's name. */
export class QueueCounters {
  readonly #claimed: Counter<'queue' | 'pool'>;
  readonly #ended: Counter<'queue' | 'outcome'>;
  readonly #recovered: Counter<'queue'>;
  readonly #refused: Counter<'queue'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#claimed = new Counter({
      name: 'spanwise_queue_claimed_total',
      help: 'Jobs that a worker pool of this process has claimed.',
      labelNames: ['queue', 'pool'],
      registers,
    });
    this.#ended = new Counter({
      name: 'spanwise_queue_runs_total',
      help: 'Runs of jobs in this process by outcome: a final status, retry or removed.',
      labelNames: ['queue', 'outcome'],
      registers,
    });
    this.#recovered = new Counter({
      name: 'spanwise_queue_recovered_total',
      help: 'Jobs that were queued again because the lease of their process had expired.',
      labelNames: ['queue'],
      registers,
    });
    this.#refused = new Counter({
      name: 'spanwise_queue_refused_total',
      help: 'Jobs that found the queue full.',
      labelNames: ['queue'],
      registers,
    });
  }

  /** The counters of one queue. */
  of(queue: string): QueueMetrics {
    return {
      claimed: (pool, jobs) => this.#claimed.inc({ queue, pool }, jobs),
      ended: (outcome) => this.#ended.inc({ queue, outcome }),
      recovered: (jobs) => this.#recovered.inc({ queue }, jobs),
      refused: (jobs) => this.#refused.inc({ queue }, jobs),
    };
  }
}
