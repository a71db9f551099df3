import { foreignAnswer, isRecord } from '../delivery/channel.ts';
import { Pause } from '../pause.ts';
import type { Answer, Service } from '../service.ts';
import { SharedWork } from '../shared-work.ts';
import type { PromptContents } from './prompt.ts';

/** One version of a prompt. */
export interface PromptSelection {
  name: string;
  label: string | undefined;
  version: number | undefined;
}

/** What is read of an answer of `GET /v1/prompts?name=`. */
export interface FetchedPrompt {
  version: number;
  /** A text, or messages. Null where references cannot be replaced, which is an error where one prompt is fetched. */
  resolvedPrompt: string | unknown[] | null;
  config: Record<string, unknown>;
}

interface Copy extends PromptContents {
  etag: string | null;
  /** When the service last gave or confirmed it. */
  confirmedMs: number;
}

/** Copies, and characters of all of them. The least recently used go first. */
const maxCopies = 1_000;
const maxCharacters = 16_000_000;

/** Copies of prompts. One request at a time refreshes a copy. */
export class PromptCache {
  readonly #service: Service;
  /** In the order of their last use. */
  readonly #copies = new Map<string, Copy>();
  readonly #loading: SharedWork<string, Copy>;
  readonly #pause: Pause;
  #characters = 0;

  constructor(service: Service) {
    this.#service = service;
    this.#pause = new Pause(service.clock);
    this.#loading = new SharedWork(service.clock, service.timeoutMs);
  }

  /** A copy, refreshed in the background when it is older than `ttlMs`; else what the service has. Errors: why there is none. */
  async get(selection: PromptSelection, ttlMs: number): Promise<PromptContents> {
    return this.#use(selection, ttlMs) ?? this.#load(selection);
  }

  /** The same; null where there is none. Does not wait for a service that has just not answered. */
  async find(selection: PromptSelection, ttlMs: number): Promise<PromptContents | null> {
    const copy = this.#use(selection, ttlMs);
    if (copy !== undefined) return copy;
    if (this.#pause.holds) return null;
    try {
      return await this.#load(selection);
    } catch (error) {
      this.#service.report(error as Error);
      return null;
    }
  }

  /** Resolves when what is being fetched now is, or has failed. Never rejects. */
  settled(): Promise<void> {
    return this.#loading.settled();
  }

  #use(selection: PromptSelection, ttlMs: number): Copy | undefined {
    const key = keyOf(selection);
    const copy = this.#copies.get(key);
    if (copy === undefined) return undefined;
    this.#copies.delete(key);
    this.#copies.set(key, copy);
    const isFresh = this.#service.clock.now() - copy.confirmedMs < ttlMs;
    if (!isFresh && !this.#loading.isUnderWay(key) && !this.#pause.holds)
      this.#load(selection).catch((error: unknown) => this.#service.report(error as Error));
    return copy;
  }

  #load(selection: PromptSelection): Promise<Copy> {
    const key = keyOf(selection);
    return this.#loading.run(key, () => this.#fetch(selection, key));
  }

  async #fetch(selection: PromptSelection, key: string): Promise<Copy> {
    const { clock } = this.#service;
    const known = this.#copies.get(key);
    const began = clock.now();
    const failure = `The prompt ${shown(selection)} cannot be fetched${known ? '; the copy of it is used' : ', and there is no copy of it'}.`;
    const answer = await this.#ask(selection, known).catch((error: unknown) => {
      this.#pause.failed(began);
      throw new Error(`${failure} ${(error as Error).message}`, { cause: error });
    });
    if (answer.status === 304 && known) return this.#keep(key, { ...known, confirmedMs: clock.now() });
    // Something in front of the service may answer 404 too, and must not remove the copy.
    if (answer.status === 404 && isRecord(answer.body) && answer.body['code'] === 'not_found') {
      this.#remove(key);
      throw new Error(`There is no prompt ${shown(selection)}. Create it or set its label, or pass a fallback.`);
    }
    if (answer.status !== 200) {
      if (answer.status >= 500 || answer.status === 429) this.#pause.failed(began);
      throw new Error(`${failure} ${reasonOf(answer)}`);
    }
    const { body } = answer;
    if (!isPrompt(body)) {
      this.#pause.failed(began);
      throw new Error(`${failure} ${foreignAnswer}`);
    }
    const { version, resolvedPrompt, config } = body;
    const etag = answer.headers.get('etag');
    const [promptJson, configJson] = [JSON.stringify(resolvedPrompt), JSON.stringify(config)];
    return this.#keep(key, { version, promptJson, configJson, etag, confirmedMs: clock.now() });
  }

  #ask({ name, label, version }: PromptSelection, known: Copy | undefined): Promise<Answer> {
    const query = new URLSearchParams({ name });
    if (label !== undefined) query.set('label', label);
    if (version !== undefined) query.set('version', String(version));
    const headers = known?.etag ? { 'if-none-match': known.etag } : {};
    return this.#service.request(`/v1/prompts?${query.toString()}`, { headers });
  }

  #keep(key: string, copy: Copy): Copy {
    this.#remove(key);
    this.#copies.set(key, copy);
    this.#characters += sizeOf(key, copy);
    for (const oldest of this.#copies.keys()) {
      if (this.#copies.size <= maxCopies && this.#characters <= maxCharacters) break;
      this.#remove(oldest);
    }
    return copy;
  }

  #remove(key: string): void {
    const copy = this.#copies.get(key);
    if (copy === undefined) return;
    this.#copies.delete(key);
    this.#characters -= sizeOf(key, copy);
  }
}

function keyOf({ name, label, version }: PromptSelection): string {
  return JSON.stringify([name, label, version]);
}

function sizeOf(key: string, { promptJson, configJson }: Copy): number {
  return key.length + promptJson.length + configJson.length;
}

function shown({ name, label, version }: PromptSelection): string {
  const which =
    label !== undefined ? ` with the label ${JSON.stringify(label)}` : version !== undefined ? ` version ${version}` : '';
  return JSON.stringify(name) + which;
}

/** A proxy that answers for the service must not replace a copy. */
function isPrompt(body: unknown): body is FetchedPrompt & { resolvedPrompt: string | unknown[] } {
  return (
    isRecord(body) &&
    typeof body['version'] === 'number' &&
    (typeof body['resolvedPrompt'] === 'string' || Array.isArray(body['resolvedPrompt'])) &&
    isRecord(body['config'])
  );
}

/** What the service says of a refusal. */
function reasonOf({ status, body }: Answer): string {
  return isRecord(body) && typeof body['error'] === 'string' ? body['error'] : `The service answered ${status}.`;
}
