import { compileInSteps } from '../../../guardrails/src/index.ts';
import type { Bundle } from '../../../guardrails/src/index.ts';
import { foreignAnswer } from '../delivery/channel.ts';
import { Pause } from '../pause.ts';
import type { Service } from '../service.ts';
import { SharedWork } from '../shared-work.ts';
import type { PolicyBundle } from './wire.ts';

/** The guardrails of an environment, ready to check. */
export interface LoadedBundle {
  bundle: Bundle;
  policies: PolicyBundle;
  slugs: ReadonlySet<string>;
  /** Guardrails that the service knows and that do not run in this environment. */
  others: Set<string>;
}

interface Source {
  environment: string | undefined;
  loaded: LoadedBundle | null;
  /** When the last request began. */
  askedMs: number;
  usedMs: number;
  cancelTimer: (() => void) | null;
  pause: Pause;
}

const refreshMs = 30_000;
/** A bundle for which the service was not asked for longer, since nothing was checked or timers did not run, is refreshed before it is used. */
const staleMs = 45_000;
/** Milliseconds that a check waits for that. */
const patienceMs = 2_000;
/** Without a check for so long, a bundle is not refreshed any more. */
const unusedMs = 300_000;
/** Environments; the one that was used longest ago goes first. */
const maxSources = 20;
/** Milliseconds of compiling after which other work has its turn. */
const sliceMs = 10;

/** The policy bundles of environments: fetched once, refreshed by ETag, and kept while the service is away. */
export class Bundles {
  readonly #service: Service;
  /** In the order of their last use. */
  readonly #sources = new Map<string | undefined, Source>();
  readonly #loading: SharedWork<Source, void>;

  constructor(service: Service) {
    this.#service = service;
    this.#loading = new SharedWork(service.clock, service.timeoutMs);
  }

  /** The bundle of an environment; null when there is none and none can be had. Never rejects. */
  async get(environment: string | undefined): Promise<LoadedBundle | null> {
    const source = this.#use(environment);
    const { clock } = this.#service;
    if (source.loaded === null) {
      if (!source.pause.holds) await this.#load(source);
    } else if (clock.now() - source.askedMs > staleMs && !source.pause.holds) {
      await this.#within(patienceMs, this.#load(source));
    }
    if (source.loaded !== null && source.cancelTimer === null) this.#schedule(source);
    return source.loaded;
  }

  /** The same after asking the service now. */
  async refresh(environment: string | undefined): Promise<LoadedBundle | null> {
    const source = this.#use(environment);
    await this.#load(source);
    return source.loaded;
  }

  /** Resolves when what is being fetched now is, or has failed. Never rejects. */
  settled(): Promise<void> {
    return this.#loading.settled();
  }

  close(): void {
    for (const source of this.#sources.values()) source.cancelTimer?.();
    this.#sources.clear();
  }

  #use(environment: string | undefined): Source {
    const { clock } = this.#service;
    const source = this.#sources.get(environment) ?? {
      environment,
      loaded: null,
      askedMs: -Infinity,
      usedMs: 0,
      cancelTimer: null,
      pause: new Pause(clock),
    };
    source.usedMs = clock.now();
    this.#sources.delete(environment);
    this.#sources.set(environment, source);
    for (const [oldest, { cancelTimer }] of this.#sources) {
      if (this.#sources.size <= maxSources) break;
      cancelTimer?.();
      this.#sources.delete(oldest);
    }
    return source;
  }

  /** Processes that start together do not ask together. */
  #schedule(source: Source): void {
    const { clock, random } = this.#service;
    source.cancelTimer = clock.after(refreshMs * (0.9 + 0.1 * random()), () => {
      source.cancelTimer = null;
      if (this.#sources.get(source.environment) !== source || clock.now() - source.usedMs > unusedMs) return;
      void this.#load(source).then(() => {
        if (this.#sources.get(source.environment) === source && source.cancelTimer === null) this.#schedule(source);
      });
    });
  }

  #load(source: Source): Promise<void> {
    return this.#loading.run(source, () => this.#fetch(source).catch((error: unknown) => this.#service.report(error as Error)));
  }

  async #fetch(source: Source): Promise<void> {
    const { environment, loaded, pause } = source;
    const began = this.#service.clock.now();
    source.askedMs = began;
    const query = environment === undefined ? '' : `?${new URLSearchParams({ environment }).toString()}`;
    const headers = loaded ? { 'if-none-match': loaded.policies.etag } : {};
    const failed = (why: string, cause?: unknown) => {
      pause.failed(began);
      const kept = loaded ? 'the guardrails of the last one go on' : 'texts are checked by the service';
      return new Error(`The policy bundle cannot be fetched; ${kept}. ${why}`, { cause });
    };
    const { status, body } = await this.#service.request(`/v1/policy-bundle${query}`, { headers }).catch((error: unknown) => {
      throw failed((error as Error).message, error);
    });
    if (status === 304) return;
    if (status !== 200) throw failed(`The service answered ${status}.`);
    if (body === undefined) throw failed(foreignAnswer);
    try {
      source.loaded = await loadedBundle(body as PolicyBundle);
    } catch (error) {
      throw failed(`This version of the SDK does not understand it: ${(error as Error).message}`, error);
    }
  }

  async #within(ms: number, work: Promise<void>): Promise<void> {
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.#service.clock.after(ms, resolve);
    });
    await Promise.race([work, late]);
    cancel();
  }
}

async function loadedBundle(policies: PolicyBundle): Promise<LoadedBundle> {
  const steps = compileInSteps(policies.guardrails);
  let sliceEnd = Date.now() + sliceMs;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { bundle: value, policies, slugs: new Set(policies.guardrails.map(({ slug }) => slug)), others: new Set() };
    if (Date.now() < sliceEnd) continue;
    await new Promise((resolve) => setTimeout(resolve));
    sliceEnd = Date.now() + sliceMs;
  }
}
