import type { IngestClient } from '../../../contract/ingest.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import { isForeignKeyViolation } from '../../../platform/postgres/index.ts';
import { ClientCounts } from './client-counts.ts';
import type { ProjectCounts } from './client-counts.ts';
import type { ClientStore } from './client-store.ts';
import type { Sender } from './sender.ts';

/** Milliseconds that counts wait in memory, to be written together. */
const delayMs = 10_000;

export interface ClientDeliveryOptions {
  clock: Clock;
  store: ClientStore;
  /** Called when counts cannot be written; they are written later. */
  onError(error: unknown): void;
}

/** Events of one request with one outcome. */
export interface DeliveredEvents {
  count: number;
  /** `''`: accepted; else the code with which they were rejected. */
  code: string;
  /** Of OTLP spans the instrumentation scope; `''` for none. */
  scope?: string;
}

/**
 * Counts what each client delivered. Requests count in memory; the counts are added to those of the store every 10 seconds, and before they are
 * read. Those of the last seconds are lost when the process is killed (docs/semantics.md, "Clients").
 */
export class ClientDelivery {
  readonly #options: ClientDeliveryOptions;
  readonly #counts = new ClientCounts();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;

  constructor(options: ClientDeliveryOptions) {
    this.#options = options;
  }

  /** Counts events of a request. */
  add(projectId: string, { instance, ...sender }: Sender, { count, code, scope = '' }: DeliveredEvents): void {
    const lastSeenMs = this.#options.clock.now();
    const day = new Date(lastSeenMs).toISOString().slice(0, 10);
    const { kind, client, version } = sender;
    const seen = instance && { id: instance.id, client, version, ...instance.dropped, lastSeenMs };
    this.#counts.add(projectId, { day, kind, client, version, scope, code, events: count, lastSeenMs }, seen);
    this.#startTimer();
  }

  /** The clients of a project, the latest seen first, with what this process has counted. */
  async list(projectId: string): Promise<IngestClient[]> {
    await this.flush(projectId);
    return this.#options.store.list(projectId, this.#options.clock.now());
  }

  /** Writes what was counted before, of one project or of all. Never rejects: counts that cannot be written stay in memory. */
  async flush(projectId?: string): Promise<void> {
    // One at a time: what is added meanwhile follows together.
    while (this.#writing) await this.#writing;
    const counts = this.#counts.take(projectId);
    if (this.#counts.isEmpty && this.#timer) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
    if (counts.size === 0) return;
    this.#writing = this.#write(counts).finally(() => (this.#writing = null));
    await this.#writing;
  }

  async #write(taken: ReadonlyMap<string, ProjectCounts>): Promise<void> {
    const { store, onError } = this.#options;
    for (const [projectId, counts] of taken) {
      try {
        await store.add(projectId, counts);
      } catch (error) {
        // The project was deleted meanwhile.
        if (isForeignKeyViolation(error)) continue;
        this.#counts.putBack(projectId, counts);
        this.#startTimer();
        onError(error);
      }
    }
  }

  #startTimer(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, delayMs).unref();
  }
}
