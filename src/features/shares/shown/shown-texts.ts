import { turnsOf } from '../../../platform/budgets/index.ts';
import { OnDemandThread } from '../../../platform/thread-rpc/index.ts';
import type { Redaction } from '../../guardrails/index.ts';
import type { ShareFunctions, WrittenRecords } from './share-worker.ts';
import type { SharedRecord } from './shared-fields.ts';

/** Longest time of a call, which has a megabyte of texts: seconds on a slow machine. */
const limit = { ms: 60_000, error: new Error('a shared trace could not be written in time') };

/** Ids that machines make: they hold nothing of a person. */
const madeId = /^(?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/**
 * Writes the records of shared traces in a thread, so that the event loop serves other requests meanwhile. Projects take turns.
 *
 * Errors of each: `unavailable` when too many wait.
 */
export class ShownTexts {
  readonly #turns = turnsOf('sharedTraces');
  readonly #thread = new OnDemandThread<ShareFunctions>(new URL('./share-worker.ts', import.meta.url), {
    name: 'the thread that writes shared traces',
  });

  /** The ids in which a redaction finds something, by a number that stands for each. */
  async ids(projectId: string, redaction: Redaction, ids: readonly string[]): Promise<Map<string, string>> {
    const chosen = ids.filter((id) => !madeId.test(id));
    if (chosen.length === 0) return new Map();
    const found = await this.#turns.run(projectId, () =>
      this.#loaded(redaction, () => this.#thread.callWithin(limit, 'ids', redaction.key, chosen)),
    );
    return new Map(found.map((at) => [chosen[at] ?? '', `redacted-id-${at + 1}`]));
  }

  /** Records as JSON texts. @param most characters of payloads that may be shown */
  write(projectId: string, redaction: Redaction | null, records: readonly SharedRecord[], most: number): Promise<WrittenRecords> {
    const key = redaction?.key ?? null;
    return this.#turns.run(projectId, () =>
      this.#loaded(redaction, () => this.#thread.callWithin(limit, 'write', key, records, most)),
    );
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  /** Calls the thread, again where it has yet to load the guardrails. */
  async #loaded<Answer>(redaction: Redaction | null, call: () => Promise<Answer | null>): Promise<Answer> {
    const first = await call();
    if (first !== null) return first;
    if (redaction) await this.#thread.callWithin(limit, 'load', redaction.key, redaction.guardrails);
    const second = await call();
    if (second === null) throw new Error('the thread lost the guardrails that it had loaded');
    return second;
  }
}
