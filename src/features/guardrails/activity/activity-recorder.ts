import type { CheckOutcome, GuardrailResult } from '../../../../packages/guardrails/src/index.ts';
import { pooledUuid } from '../../../platform/crypto/pooled-uuid.ts';
import type { GuardrailActivityRecord, GuardrailCounts, SpanRecord } from '../../records/index.ts';
import type { IngestPipeline, IngestTenant } from '../../trace-store/index.ts';

/** Milliseconds that checks wait in memory, to be written together. */
const delayMs = 200;
/** Rows and characters of spans in memory; what comes beyond while they are being written is lost. */
const maxRows = 50_000;
const maxCharacters = 32 * 1_048_576;
/** Characters at which they are written at once. */
const manyCharacters = 1_048_576;

export interface ActivityRecorderOptions {
  pipeline: Pick<IngestPipeline, 'accept'>;
  /** Called when activity is lost. */
  onLost(lost: { checks: number; error: unknown }): void;
}

/** A check that has ended. */
export interface EndedCheck {
  atMs: number;
  stage: 'input' | 'output';
  /** `''` when the check named none. */
  environment: string;
  outcome: Pick<CheckOutcome, 'action' | 'results'>;
  /** false: a report of the caller counts it. Its latencies are kept. */
  isCounted: boolean;
}

type Counts = { -readonly [Field in keyof Omit<GuardrailCounts, 'latencies'>]: GuardrailCounts[Field] } & { latencies: number[] };
type Moment = { -readonly [Field in keyof Omit<GuardrailActivityRecord, 'guardrails'>]: GuardrailActivityRecord[Field] } & {
  guardrails: Counts[];
};

/** What of a project is not written yet. */
interface Pending {
  tenant: IngestTenant;
  moments: Map<string, Moment>;
  latest: Moment | null;
  spans: SpanRecord[];
}

/**
 * Writes checks to the ingestion log: their counts, and their spans. A check does not wait for the disk. Checks of the last {@link delayMs} are lost
 * when the process is killed (docs/semantics.md, "Guardrail activity"); {@link close} writes them. Checks of the same millisecond, stage and environment
 * become one row.
 */
export class ActivityRecorder {
  readonly #options: ActivityRecorderOptions;
  #pending = new Map<string, Pending>();
  #rows = 0;
  #characters = 0;
  #lost = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;

  constructor(options: ActivityRecorderOptions) {
    this.#options = options;
  }

  /** Counts a check, and keeps its span if it has one. */
  add({ projectId, organizationId }: IngestTenant, check: EndedCheck, span: SpanRecord | null): void {
    if (this.#rows >= maxRows || this.#characters >= maxCharacters) {
      this.#lost += 1;
      return;
    }
    const known = this.#pending.get(projectId);
    const pending: Pending = known ?? { tenant: { projectId, organizationId }, moments: new Map(), latest: null, spans: [] };
    this.#pending.set(projectId, pending);
    this.#count(pending, check);
    if (span) {
      pending.spans.push(span);
      this.#rows += 1;
      this.#characters += span.output.length;
    }
    if (this.#characters >= manyCharacters && !this.#writing) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), delayMs).unref();
  }

  /** Writes what was added before; resolves once it is in the log, or lost. */
  async flush(): Promise<void> {
    // One at a time: what is added meanwhile follows together.
    while (this.#writing) await this.#writing;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#rows === 0) return;
    this.#writing = this.#write().finally(() => (this.#writing = null));
    await this.#writing;
  }

  /** Writes the rest. */
  close(): Promise<void> {
    return this.flush();
  }

  #count(pending: Pending, check: EndedCheck): void {
    const { action, results } = check.outcome;
    const moment = this.#momentOf(pending, check);
    let anyFailed = false;
    for (const [index, result] of results.entries()) {
      if (result.failed) anyFailed = true;
      countResult(moment.guardrails, index, result, check.isCounted);
    }
    if (check.isCounted) countAction(moment, action, anyFailed);
  }

  /** The row of a check. */
  #momentOf(pending: Pending, { atMs, stage, environment }: EndedCheck): Moment {
    const { moments, latest } = pending;
    if (latest?.atMs === atMs && latest.stage === stage && latest.environment === environment) return latest;
    const key = `${atMs} ${stage} ${environment}`;
    let moment = moments.get(key);
    if (!moment) {
      const none = { checks: 0, flagged: 0, redacted: 0, blocked: 0, failed: 0 };
      moment = { activityId: pooledUuid(atMs), atMs, stage, environment, ...none, guardrails: [] };
      moments.set(key, moment);
      this.#rows += 1;
    }
    pending.latest = moment;
    return moment;
  }

  async #write(): Promise<void> {
    const written = this.#pending;
    let lost = this.#lost;
    this.#pending = new Map();
    this.#rows = 0;
    this.#characters = 0;
    this.#lost = 0;
    let failure: unknown = null;
    const accepting = [...written.values()].map(async ({ tenant, moments, spans }) => {
      const guardrailActivity = [...moments.values()];
      try {
        await this.#options.pipeline.accept(tenant, { spans, scores: [], guardrailActivity }, 0);
      } catch (error) {
        failure = error;
        for (const { checks } of guardrailActivity) lost += checks;
      }
    });
    await Promise.all(accepting);
    if (lost > 0) this.#options.onLost({ checks: lost, error: failure });
  }
}

/** Counts a result. @param index of the result: most checks of a row run the same guardrails */
function countResult(
  guardrails: Counts[],
  index: number,
  { guardrail, type, action, failed, skipped, latencyMs }: GuardrailResult,
  isCounted: boolean,
): void {
  // It did not run.
  if (skipped) return;
  const guess = guardrails[index];
  let counts = guess?.guardrail === guardrail ? guess : guardrails.find((known) => known.guardrail === guardrail);
  if (!counts) {
    counts = { guardrail, type, checks: 0, flagged: 0, redacted: 0, blocked: 0, failed: 0, latencies: [] };
    guardrails.push(counts);
  }
  if (isCounted) countAction(counts, action, failed === true);
  counts.latencies.push(roundedLatency(latencyMs));
}

function countAction(
  counts: Pick<Counts, 'checks' | 'flagged' | 'redacted' | 'blocked' | 'failed'>,
  action: GuardrailResult['action'],
  failed: boolean,
): void {
  counts.checks += 1;
  if (action === 'flag') counts.flagged += 1;
  else if (action === 'redact') counts.redacted += 1;
  else if (action === 'block') counts.blocked += 1;
  if (failed) counts.failed += 1;
}

const bits = new DataView(new ArrayBuffer(8));

/** Rounds to 8 significant bits, a relative error of at most 2^-8, so that a range has few distinct latencies. */
export function roundedLatency(ms: number): number {
  bits.setFloat64(0, ms);
  const high = bits.getUint32(0);
  bits.setUint32(0, (high + 0x1000) & 0xffff_e000);
  bits.setUint32(4, 0);
  return bits.getFloat64(0);
}
