import { CheckGivenUp } from '../../../guardrails/src/index.ts';
import type { CheckOutcome } from '../../../guardrails/src/index.ts';
import type { SpanEvent } from '../events.ts';
import { utf8Length } from '../json-text.ts';
import type { Service } from '../service.ts';
import type { Bundles, LoadedBundle } from './bundles.ts';
import { newCheckId } from './check-id.ts';
import type { CheckOptions, GuardSettings } from './options.ts';
import { checkHere, judged, now, rounded, stepsHere } from './local-check.ts';
import type { CheckedText } from './local-check.ts';
import { checkRemotely, Unavailable } from './remote-check.ts';
import type { Reports } from './reports.ts';
import type { Verdict } from './verdict.ts';

/** Bytes of UTF-8 of a text that is checked. */
export const maxTextBytes: number = 256 * 1024;
const tooLong = 'The text is longer than 256 KiB of UTF-8; check it in parts.';

export type AnyCheckOptions = CheckOptions & { final?: boolean | undefined };

/** Checks texts: here by the bundle, or at the service. */
export class Checker {
  readonly #service: Service;
  readonly #bundles: Bundles;
  readonly #reports: Reports;
  readonly #settings: GuardSettings;

  constructor(service: Service, bundles: Bundles, reports: Reports, settings: GuardSettings) {
    this.#service = service;
    this.#bundles = bundles;
    this.#reports = reports;
    this.#settings = settings;
  }

  /** What options say, with defaults. Errors: TypeError. */
  requestOf(text: string, options: AnyCheckOptions): CheckedText {
    if (typeof text !== 'string') throw new TypeError('guard.check takes a text.');
    if (text.length > maxTextBytes || utf8Length(text) > maxTextBytes) throw new TypeError(tooLong);
    const { stage = 'input', guardrails, final = true } = options;
    // No guardrail is of another stage, so that a wrong one would let every text pass.
    if (stage !== 'input' && stage !== 'output') throw new TypeError('stage must be input or output.');
    const { activeTraceId, activeSpanId } = this.#settings;
    const environment: unknown = options.environment ?? this.#settings.environment;
    // The service would refuse the reports of all checks that are sent together.
    if (environment !== undefined && typeof environment !== 'string') throw new TypeError('environment must be a text.');
    const activeTrace = activeTraceId?.();
    const traceId = options.traceId ?? activeTrace;
    const parentSpanId = options.parentSpanId ?? (traceId === activeTrace ? activeSpanId?.() : undefined);
    return { text, stage, environment, guardrails, final, traceId, parentSpanId };
  }

  /** Checks a text. Errors: TypeError for what cannot be checked. */
  async check(text: string, options: AnyCheckOptions): Promise<Verdict> {
    const request = this.requestOf(text, options);
    try {
      const loaded = await this.bundleFor(request);
      return loaded === null ? await checkRemotely(this.#service, request) : await this.checkWith(loaded, request);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      return this.#unavailable(request, options, error);
    }
  }

  /**
   * The bundle of a check; null when there is none and the service must check.
   *
   * Errors: TypeError for a guardrail that there is not; {@link Unavailable} where the service must say whether there is one, and is away.
   */
  async bundleFor({ environment, stage, guardrails = [] }: CheckedText): Promise<LoadedBundle | null> {
    let loaded = await this.#bundles.get(environment);
    const unknown = () => guardrails.filter((slug) => loaded?.slugs.has(slug) === false && !loaded.others.has(slug));
    if (unknown().length > 0) loaded = await this.#bundles.refresh(environment);
    const asked = unknown();
    if (loaded === null || asked.length === 0) return loaded;
    // One that is disabled or for other environments is none of the bundle; the service knows it and runs none of these.
    const rest = { final: true, traceId: undefined, parentSpanId: undefined, count: false };
    await checkRemotely(this.#service, { text: '', environment, stage, guardrails: asked, ...rest });
    for (const slug of asked) if (loaded.others.size < 1_000) loaded.others.add(slug);
    return loaded;
  }

  /** Checks a text by a bundle; the service checks it where that takes too long. A service that is away is no error. */
  async checkWith(loaded: LoadedBundle, request: CheckedText): Promise<Verdict> {
    const started = now();
    const narrowed = { ...request, guardrails: request.guardrails?.filter((slug) => loaded.slugs.has(slug)) };
    let local: CheckOutcome;
    try {
      local = checkHere(loaded, narrowed, stepsHere);
    } catch (error) {
      if (!(error instanceof CheckGivenUp)) throw error;
      const answer = await checkRemotely(this.#service, request).catch(() => null);
      if (answer !== null) return answer;
      local = checkHere(loaded, narrowed);
    }
    // The span of the check in the application has the judges' results too.
    const asked = this.#settings.send ? { ...narrowed, traceId: undefined, parentSpanId: undefined } : narrowed;
    const outcome = await judged(this.#service, loaded, asked, local, () => void this.#bundles.refresh(request.environment));
    return this.answerOf(loaded, request, outcome, started);
  }

  /** The answer of a check in the application, which is counted, and sent to its trace. */
  answerOf({ policies }: LoadedBundle, request: CheckedText, outcome: CheckOutcome, started: number): Verdict {
    const { action, text, safeUntil } = outcome;
    const results = outcome.results.map((result) => ({ ...result, latencyMs: rounded(result.latencyMs) }));
    const nowMs = this.#service.clock.now();
    const latencyMs = rounded(Math.max(0, now() - started));
    const checkId = newCheckId(nowMs);
    this.#reports.add(
      request.stage,
      request.environment,
      results.filter(({ skipped }) => !skipped),
    );
    const { version: policyVersion, unknownEnvironment } = policies;
    const verdict = {
      checkId,
      action,
      text,
      results,
      safeUntil,
      policyVersion,
      latencyMs,
      ...(unknownEnvironment && { unknownEnvironment }),
    };
    if (request.traceId !== undefined) this.#settings.send?.(spanOf(verdict, request, request.traceId, nowMs));
    return verdict;
  }

  #unavailable({ text }: CheckedText, { onUnavailable }: AnyCheckOptions, error: Unavailable): Verdict {
    this.#service.report(new Error(`A text could not be checked. ${error.message}`, { cause: error }));
    const action = onUnavailable ?? this.#settings.onUnavailable;
    const reason = `The text was not checked; onUnavailable is ${action}. ${error.message}`;
    const checkId = newCheckId(this.#service.clock.now());
    const nothing = { results: [], safeUntil: text.length, policyVersion: 0, latencyMs: 0 };
    return { checkId, action, text, ...nothing, unavailable: true, reason };
  }
}

/** The span of a check, as the service writes it: without the reason of a judge, which may quote the text. */
function spanOf(
  { checkId, action, results, latencyMs }: Verdict,
  request: CheckedText,
  traceId: string,
  nowMs: number,
): SpanEvent {
  const shown = results.map((result) => (result.type === 'llm_judge' && !result.failed ? { ...result, reason: null } : result));
  return {
    type: 'span',
    traceId,
    spanId: checkId,
    parentSpanId: request.parentSpanId,
    name: 'guardrail check',
    kind: 'guardrail',
    startTime: new Date(nowMs - latencyMs).toISOString(),
    endTime: new Date(nowMs).toISOString(),
    status: 'ok',
    environment: request.environment,
    output: { action, results: shown },
  };
}
