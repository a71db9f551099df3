import { hourMs } from '../../../contract/durations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { PolicyReplay } from '../../../contract/policies.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import { WorkerThread } from '../../../platform/thread-rpc/index.ts';
import type { Specification } from '../../policy-revisions/index.ts';
import type { Platform } from '../../../platform/feature/index.ts';
import { ReplayCounts } from './replay-counts.ts';
import { replayedGuardrails } from './replayed-guardrails.ts';
import type { ReplayedGuardrail } from './replayed-guardrails.ts';
import { payloadChunks, spansToReplay } from './replayed-spans.ts';
import type { ReplayFunctions } from './replay-worker.ts';

/** Milliseconds from the beginning of the request after which no span is begun. */
const replayMs = 7_500;
/** Milliseconds beyond {@link replayMs} for the span in progress; then the thread is terminated. */
const graceMs = 1_000;
const maxRunning = 4;
const defaultMaxMemoryMb = 256;

type Replaying = Pick<Platform, 'clickhouse' | 'clock'>;

/** Runs planned guardrails over recorded spans, each replay in a thread of its own. */
export class Replays {
  readonly #threads = new Set<WorkerThread<ReplayFunctions>>();
  readonly #maxMemoryMb: number;
  #running = 0;

  /** @param options.maxMemoryMb what the heap of a replay may take; for tests */
  constructor({ maxMemoryMb = defaultMaxMemoryMb }: { maxMemoryMb?: number } = {}) {
    this.#maxMemoryMb = maxMemoryMb;
  }

  /**
   * What guardrails did and would have done to the newest 5,000 `llm` spans of a window that ends now. At the limit of time or memory it is `truncated`.
   *
   * @param startedMs when the request began
   * Errors: `unavailable` when too many run.
   */
  async replay(
    context: Replaying,
    tenant: Tenant,
    { before, after }: { before: readonly Specification[]; after: readonly Specification[] },
    { hours, startedMs }: { hours: number; startedMs: number },
  ): Promise<PolicyReplay> {
    if (this.#running >= maxRunning) {
      throw new ServiceError('unavailable', 'The service runs as many replays as it can; plan again in a few seconds.', {
        retryAfterSeconds: 10,
      });
    }
    this.#running += 1;
    const thread = new WorkerThread<ReplayFunctions>(new URL('./replay-worker.ts', import.meta.url), {
      name: 'the replay of a policy plan',
      resourceLimits: { maxOldGenerationSizeMb: this.#maxMemoryMb },
    });
    this.#threads.add(thread);
    try {
      const window = { fromMs: startedMs - hours * hourMs, toMs: startedMs };
      const guardrails = replayedGuardrails(before, after);
      const counts = new ReplayCounts(guardrails);
      const truncated = await run(context, { tenant, thread, counts, window, guardrails });
      const { spans, byGuardrail, totals } = counts.result();
      const [from, to] = [new Date(window.fromMs).toISOString(), new Date(window.toMs).toISOString()];
      return { from, to, spans, ...(truncated && { truncated }), byGuardrail, totals };
    } finally {
      this.#running -= 1;
      this.#threads.delete(thread);
      await thread.terminate();
    }
  }

  /** Ends the replays that are running. */
  async close(): Promise<void> {
    const closing = new ServiceError('unavailable', 'The service is shutting down; send this again.', { retryAfterSeconds: 5 });
    await Promise.all([...this.#threads].map((thread) => thread.terminate(closing)));
  }
}

interface Run {
  tenant: Tenant;
  thread: WorkerThread<ReplayFunctions>;
  counts: ReplayCounts;
  window: { fromMs: number; toMs: number };
  guardrails: ReplayedGuardrail[];
}

/** Counts the spans of the window; whether the time was over, or the memory used up, before the last. */
async function run(context: Replaying, { tenant, thread, counts, window, guardrails }: Run): Promise<boolean> {
  const left = () => window.toMs + replayMs - context.clock.now();
  const late = new Error('the replay took too long');
  const limit = () => ({ ms: Math.max(0, left()) + graceMs, error: late });
  try {
    await thread.callWithin(
      limit(),
      'load',
      guardrails.map(({ guardrail }) => guardrail),
    );
    const spans = await spansToReplay(context, tenant, window);
    for await (const chunk of payloadChunks(context, tenant, spans)) {
      const checked = left() <= 0 ? [] : await thread.callWithin(limit(), 'check', chunk.texts, left());
      for (const [place, triggers] of checked.entries()) {
        const span = chunk.spans[place];
        if (span) counts.add(span, triggers);
      }
      if (checked.length < chunk.spans.length) return true;
    }
    return false;
  } catch (error) {
    if (error === late || (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY') return true;
    throw error;
  }
}
