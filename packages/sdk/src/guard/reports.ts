import { foreignAnswer, isRecord } from '../delivery/channel.ts';
import { askedWaitMs, backoffMs } from '../delivery/retry-after.ts';
import { newTraceId } from '../id.ts';
import type { Service } from '../service.ts';
import { SharedWork } from '../shared-work.ts';
import type { CheckStage, GuardrailReport, GuardrailResult } from './wire.ts';

/** Milliseconds for which checks are counted together. */
const bucketMs = 10_000;
/** Reports of a request. */
const maxReports = 100;
/** Reports that wait; beyond that the oldest are dropped. */
const maxWaiting = 2_000;
/** Groups that are counted at a time. */
const maxGroups = 200;
/** Older reports are dropped: the service may not take them any more. */
const oldestMs = 86_400_000;

/** Checks of the same guardrails with the same actions: their reports say exactly what the checks did. */
interface Group {
  id: string;
  stage: CheckStage;
  environment: string | undefined;
  atMs: number;
  results: readonly GuardrailResult[];
  checks: number;
}

/** Counts what was checked in the application and reports it. */
export class Reports {
  readonly #service: Service;
  readonly #counting = new Map<string, Group>();
  /** Reports of a group stay together: the service derives the counts of checks from those of a request. */
  #waiting: GuardrailReport[][] = [];
  #lastMs = 0;
  readonly #sending: SharedWork<'send', boolean>;
  #cancelTimer: (() => void) | null = null;
  /** Failed requests one after another. */
  #failures = 0;
  /** No request before this time: the service asked for the wait, and a flush does not end it. */
  #askedUntilMs = 0;
  #isClosed = false;

  constructor(service: Service) {
    this.#service = service;
    this.#sending = new SharedWork(service.clock, service.timeoutMs);
  }

  /** Counts a check. @param results of the guardrails that ran, judges included */
  add(stage: CheckStage, environment: string | undefined, results: readonly GuardrailResult[]): void {
    if (results.length === 0) return;
    const key = JSON.stringify([stage, environment, results.map(({ guardrail, action, failed }) => [guardrail, action, failed])]);
    const group = this.#counting.get(key);
    if (group) group.checks += 1;
    else {
      if (this.#counting.size >= maxGroups) this.#closeGroups();
      // Of the same moment, stage and environment are reports of the same checks, so each group has a moment of its own.
      this.#lastMs = Math.max(this.#lastMs + 1, Math.floor(this.#service.clock.now()));
      this.#counting.set(key, { id: newTraceId(), stage, environment, atMs: this.#lastMs, results, checks: 1 });
    }
    this.#schedule(bucketMs);
  }

  /** Sends what was counted. Resolves when it is sent, a request failed, or the service has asked to wait; never rejects. */
  async flush(): Promise<void> {
    this.#closeGroups();
    while (this.#waiting.length > 0 && this.#askedMs() <= 0) if (!(await this.#send())) return;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    await this.flush();
  }

  #schedule(ms: number): void {
    if (this.#isClosed || this.#cancelTimer !== null) return;
    this.#cancelTimer = this.#service.clock.after(ms, () => {
      this.#cancelTimer = null;
      void this.flush().then(() => {
        if (this.#waiting.length === 0) return;
        const askedMs = Math.min(this.#askedMs(), oldestMs);
        this.#schedule(askedMs > 0 ? askedMs : backoffMs(this.#failures, this.#service.random()));
      });
    });
  }

  /** Milliseconds that the service has asked to wait from now on. */
  #askedMs(): number {
    return this.#askedUntilMs - this.#service.clock.now();
  }

  /** Makes reports of what was counted. */
  #closeGroups(): void {
    for (const group of this.#counting.values()) this.#waiting.push(reportsOf(group));
    this.#counting.clear();
    let waiting = this.#waiting.reduce((sum, { length }) => sum + length, 0);
    let dropped = 0;
    const oldest = this.#service.clock.now() - oldestMs;
    while (waiting > maxWaiting || Date.parse(this.#waiting[0]?.[0]?.at ?? '') < oldest) {
      const length = this.#waiting.shift()?.length ?? 0;
      waiting -= length;
      dropped += length;
    }
    if (dropped > 0)
      this.#service.report(new Error(`${dropped} reports of guardrails were dropped: the service is away for too long.`));
  }

  /** Sends one request; true when its reports are settled. One at a time. */
  #send(): Promise<boolean> {
    return this.#sending.run('send', () => this.#sendOne());
  }

  async #sendOne(): Promise<boolean> {
    const groups: GuardrailReport[][] = [];
    let count = 0;
    for (const group of this.#waiting) {
      count += group.length;
      if (count > maxReports && groups.length > 0) break;
      groups.push(group);
    }
    const failure = await this.#post(groups.flat());
    if (failure !== null) {
      this.#service.report(new Error(`Reports of guardrails were not sent; they are sent again. ${failure}`));
      this.#failures += 1;
      return false;
    }
    this.#failures = 0;
    const sent = new Set(groups);
    this.#waiting = this.#waiting.filter((group) => !sent.has(group));
    return true;
  }

  /** Null when the service took or refused the reports for good; else why it did not. */
  async #post(reports: readonly GuardrailReport[]): Promise<string | null> {
    try {
      const answer = await this.#service.request('/v1/guardrails/report', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ reports }),
      });
      const { status, body } = answer;
      if (status === 202) {
        if (!isRecord(body) || !Array.isArray(body['rejected'])) return foreignAnswer;
        const rejected = body['rejected'] as ReadonlyArray<{ error: string }>;
        if (rejected[0])
          this.#service.report(new Error(`${rejected.length} reports of guardrails were refused. ${rejected[0].error}`));
        return null;
      }
      const nowMs = this.#service.clock.now();
      this.#askedUntilMs = nowMs + (askedWaitMs(answer, nowMs) ?? 0);
      if (status === 408 || status === 429 || status < 400 || status >= 500) return `The service answered ${status}.`;
      this.#service.report(new Error(`${reports.length} reports of guardrails were refused. The service answered ${status}.`));
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

function reportsOf({ id, stage, environment, atMs, results, checks }: Group): GuardrailReport[] {
  return results.map(({ guardrail, action, failed }) => ({
    guardrail,
    stage,
    ...(environment === undefined ? {} : { environment }),
    at: new Date(atMs).toISOString(),
    checks,
    flagged: action === 'flag' ? checks : 0,
    redacted: action === 'redact' ? checks : 0,
    blocked: action === 'block' ? checks : 0,
    failed: failed ? checks : 0,
    reportId: `${id}:${guardrail}`,
  }));
}
