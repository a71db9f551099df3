import { OnDemandThread } from '../../../platform/thread-rpc/index.ts';
import { comparePages } from './compare-pages.ts';
import type { Comparison, RunPages } from './compare-pages.ts';
import type { GateFunctions } from './gate-worker.ts';
import type { CheckOptions } from './statistics.ts';

/** Characters of two runs, some 50 items of each, up to which the main thread compares them: some milliseconds. */
const charactersAtOnce = 6_000;
/** Milliseconds of one comparison: more than 100,000 items need. */
const limitMs = 120_000;

/** Computes the checks of gates, in a thread where it takes more than some milliseconds. */
export class GateStatistics {
  readonly #thread = new OnDemandThread<GateFunctions>(new URL('./gate-worker.ts', import.meta.url), { name: 'the gate thread' });

  async compare(pages: RunPages, options: CheckOptions): Promise<Comparison> {
    const characters = [...pages.baseline, ...pages.candidate].reduce((sum, { length }) => sum + length, 0);
    if (characters <= charactersAtOnce) return comparePages(pages, options);
    const error = new Error('the statistics of a gate took too long');
    return this.#thread.callWithin({ ms: limitMs, error }, 'comparePages', pages, options);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
