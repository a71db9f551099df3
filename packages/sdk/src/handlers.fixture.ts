import { AsyncLocalStorage } from 'node:async_hooks';
import { FakeService } from './fake-service.fixture.ts';
import { ManualClock } from './manual-clock.fixture.ts';
import { Spanwise } from './index.ts';
import type { SpanwiseOptions } from './index.ts';

/** One request to an application and what it may do. */
interface Handler {
  isOver: boolean;
}

/** Keeps a handler running after its answer until the given work has ended. */
export type WaitUntil = (work: Promise<unknown>) => void;

/**
 * A platform as Cloudflare Workers: the timers and requests of a handler end with its answer, or with what it gave to `waitUntil`. No promise of theirs settles then. All
 * handlers share one client.
 */
export class HandlerPlatform {
  readonly clock = new ManualClock();
  readonly service = new FakeService();
  readonly spanwise: Spanwise;
  readonly #current = new AsyncLocalStorage<Handler>();

  /** @param answerMs milliseconds after which the service answers */
  constructor(answerMs: number, options: SpanwiseOptions = {}) {
    const { clock } = this;
    const after = (ms: number, call: () => void) => clock.after(ms, this.#ofHandler(call));
    const answered = async (...request: Parameters<FakeService['fetch']>) => {
      await new Promise<void>((resolve) => after(answerMs, resolve));
      return this.service.fetch(...request);
    };
    const all = { apiKey: 'spw_key', fetch: answered as typeof fetch, onError: () => undefined, ...options };
    this.spanwise = new Spanwise(all, { clock: { now: () => clock.now(), after }, random: () => 0.5 });
  }

  /** Runs a handler. @returns what it answers */
  async handle<T>(run: (waitUntil: WaitUntil) => Promise<T> | T): Promise<T> {
    const handler = { isOver: false };
    const behind: Array<Promise<unknown>> = [];
    const answer = await this.#current.run(handler, async () => run((work) => void behind.push(work)));
    void Promise.allSettled(behind).then(() => (handler.isOver = true));
    return answer;
  }

  #ofHandler(call: () => void): () => void {
    const handler = this.#current.getStore();
    return () => {
      if (handler && !handler.isOver) this.#current.run(handler, call);
    };
  }
}
