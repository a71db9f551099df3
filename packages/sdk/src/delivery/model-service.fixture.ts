import type { Clock } from '../clock.ts';

/** What happens to one request on its way. */
export type Fault =
  | { kind: 'none' }
  /** The answer comes later, perhaps after the client has given up. */
  | { kind: 'slow'; ms: number }
  /** The connection is cut before or after the service has stored the events. */
  | { kind: 'cut'; isStored: boolean }
  /** The answer is cut in its middle. */
  | { kind: 'torn' }
  /** The request arrives twice. */
  | { kind: 'twice' }
  | { kind: 'status'; status: number; retryAfter?: string; isStored: boolean }
  /** Batches of more events are too large. */
  | { kind: 'too-large'; most: number }
  /** The service is away for a while. */
  | { kind: 'killed'; ms: number };

export interface ModelEvent {
  spanId: string;
  name: string;
}

/** A model of `POST /v1/ingest` with a network in front of it that fails as it is told. Events named `bad` are rejected. */
export class ModelService {
  /** Bodies by span id; a span that is sent again replaces the one before. */
  readonly stored = new Map<string, string>();
  /** Spans of requests that were answered with 202, without those that it rejected. */
  readonly acknowledged = new Set<string>();
  readonly refused = new Set<string>();
  readonly rejected = new Set<string>();
  /** What the client did that it must not do. */
  readonly mistakes: string[] = [];
  requests = 0;
  readonly #clock: Clock;
  readonly #faults: Fault[];
  #open = 0;
  #awayUntilMs = 0;
  #quietUntilMs = 0;

  constructor(clock: Clock, faults: readonly Fault[]) {
    this.#clock = clock;
    this.#faults = [...faults];
  }

  readonly fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    this.requests += 1;
    if (this.#open > 0) this.mistakes.push('two requests at a time');
    if (this.#clock.now() < this.#quietUntilMs) this.mistakes.push('a request before Retry-After');
    this.#open += 1;
    try {
      return await this.#answer(new TextDecoder().decode(init?.body as Uint8Array), init?.signal ?? undefined);
    } finally {
      this.#open -= 1;
    }
  };

  async #answer(body: string, signal: AbortSignal | undefined): Promise<Response> {
    const lines = body.trimEnd().split('\n');
    if (lines.length > 100 || Buffer.byteLength(body) > 900_000) this.mistakes.push('a request that is too large');
    if (this.#clock.now() < this.#awayUntilMs) throw cut();
    const fault = this.#faults.shift() ?? { kind: 'none' };
    switch (fault.kind) {
      case 'none':
        return this.#store(lines);
      case 'slow': {
        const answer = this.#store(lines);
        await this.#wait(fault.ms, signal);
        return answer;
      }
      case 'cut':
        if (fault.isStored) this.#store(lines);
        throw cut();
      case 'torn': {
        const answer = await this.#store(lines).text();
        return new Response(answer.slice(0, -3), { status: 202 });
      }
      case 'twice':
        this.#store(lines);
        return this.#store(lines);
      case 'killed':
        this.#awayUntilMs = this.#clock.now() + fault.ms;
        throw cut();
      case 'too-large':
        if (lines.length <= fault.most) return this.#store(lines);
        // One that is too large alone cannot be divided.
        if (lines.length === 1) this.#refuse(lines);
        return Response.json({ error: 'Too large.' }, { status: 413 });
      case 'status':
        return this.#fail(fault, lines);
    }
  }

  #fail({ status, retryAfter, isStored }: Extract<Fault, { kind: 'status' }>, lines: readonly string[]): Response {
    if (isStored) this.#store(lines);
    else if (status >= 400 && status < 500 && status !== 408 && status !== 429) this.#refuse(lines);
    if (retryAfter !== undefined && (status === 429 || status === 503)) {
      this.#quietUntilMs = this.#clock.now() + Number(retryAfter) * 1_000;
    }
    const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter });
    return Response.json({ error: 'Not now.' }, { status, headers });
  }

  #refuse(lines: readonly string[]): void {
    for (const line of lines) this.refused.add((JSON.parse(line) as ModelEvent).spanId);
  }

  #store(lines: readonly string[]): Response {
    const rejected: object[] = [];
    for (const [index, line] of lines.entries()) {
      const { spanId, name } = JSON.parse(line) as ModelEvent;
      if (name === 'bad') {
        this.rejected.add(spanId);
        rejected.push({ line: index + 1, code: 'invalid_request', error: 'name is bad.' });
        continue;
      }
      const before = this.stored.get(spanId);
      if (before !== undefined && before !== line) this.mistakes.push('an event changed');
      this.stored.set(spanId, line);
    }
    const accepted = lines.length - rejected.length;
    return Response.json({ accepted, rejected }, { status: accepted === 0 ? 400 : 202 });
  }

  #wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(ms, resolve);
      signal?.addEventListener('abort', () => {
        cancel();
        reject(cut());
      });
    });
  }
}

function cut(): TypeError {
  return new TypeError('fetch failed', { cause: new Error('other side closed') });
}
