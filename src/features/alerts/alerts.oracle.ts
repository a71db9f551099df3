/** Raw events of a project, the latest version of each. */
export interface OracleEvents {
  calls: OracleCall[];
  scores: OracleScore[];
  checks: OracleCheck[];
  /** When a span last arrived; null: never. */
  newestMs: number | null;
}

export interface OracleCall {
  traceId: string;
  spanId: string;
  startMs: number;
  /** null: it runs. */
  durationMs: number | null;
  error: boolean;
  cost: number;
  model: string;
  agent: string;
  operation: string;
  environment: string;
}

export interface OracleScore {
  traceId: string;
  /** `''`: of the trace. */
  spanId: string;
  atMs: number;
  score: number;
  /** null: no quality score. */
  scale: readonly [number, number] | null;
  evaluator: string;
  model: string;
}

export interface OracleCheck {
  atMs: number;
  environment: string;
  /** Guardrails that ran, and whether they triggered. */
  results: ReadonlyArray<{ guardrail: string; triggered: boolean }>;
}

export type CallTest = (call: OracleCall, ofTrace: readonly OracleCall[]) => boolean;

/** Expressions of rules over calls, and what they say of a call. */
export const oracleExpressions: Readonly<Record<string, CallTest>> = {
  'latency:>1s': ({ durationMs }) => durationMs !== null && durationMs > 1_000,
  'status:error': ({ error }) => error,
  'NOT (agent:x OR cost:>0.5)': ({ agent, cost }) => agent !== 'x' && cost <= 0.5,
  'any(status:error)': (_, ofTrace) => ofTrace.some(({ error }) => error),
  '-latency:* OR trace.calls:2': ({ durationMs }, ofTrace) => durationMs === null || ofTrace.length === 2,
};

export interface OracleRule {
  type: 'error-rate' | 'latency' | 'cost' | 'quality' | 'guardrail' | 'ingest-stopped';
  threshold: number;
  recoveryThreshold: number;
  windowMs: number;
  models: readonly string[] | null;
  agents: readonly string[] | null;
  operations: readonly string[] | null;
  evaluators: readonly string[] | null;
  guardrails: readonly string[] | null;
  /** What the expression of the filter says of a call, among those of its trace. */
  meets?: CallTest | undefined;
  environment: string | null;
  groupBy: 'model' | 'agent' | 'environment' | null;
  minCount: number;
  forMs: number;
  noData: 'keep' | 'resolve' | 'fire';
}

export interface OracleIncident {
  scope: string | null;
  openedMs: number;
  /** How many readings its scope had when it opened. */
  from: number;
  resolution: string | null;
  /** When its condition was false twice. */
  resolvedMs: number | null;
  /** When it opened. */
  firstValue: number | null;
  value: number | null;
  peakValue: number | null;
}

/** true, false, between the thresholds, or nothing known. */
type Reading = 'T' | 'F' | 'M' | '-';
type Sample = { scope: string; size: number; value: number | null };

/** The times at which a rule is evaluated. An interval between two evaluations that is longer than `gapMs` counts as not observed. */
export interface OracleTimes {
  gapMs: number;
  /** Whether everything before the first evaluation is known. */
  always: boolean;
}

const within = (names: readonly string[] | null, name: string) => names === null || names.includes(name);

/** A rule as docs/semantics.md, "Alert rules", describes it, over every raw event and the whole history of its readings. */
export class AlertOracle {
  readonly rule: OracleRule;
  readonly incidents: OracleIncident[] = [];
  state: 'ok' | 'firing' | 'no_data' = 'ok';
  value: number | null = null;
  readonly #times: number[] = [];
  readonly #readings = new Map<string, Array<{ at: number; reading: Reading }>>();
  /** Scopes whose incident a person resolved while the condition held, with the reading from which on it counts. */
  readonly #resolvedAt = new Map<string, number>();

  readonly #given: OracleTimes;

  constructor(rule: OracleRule, times: OracleTimes = { gapMs: 180_000, always: false }) {
    this.rule = rule;
    this.#given = times;
  }

  get open(): OracleIncident[] {
    return this.incidents.filter(({ resolution }) => resolution === null);
  }

  /** A person resolves every open incident. */
  resolveByPerson(): void {
    for (const incident of this.open) {
      incident.resolution = 'manual';
      const readings = this.#readings.get(incident.scope ?? '') ?? [];
      const known = readings.findLast(({ reading }) => reading !== '-');
      if (known?.reading === 'T') this.#resolvedAt.set(incident.scope ?? '', readings.length);
    }
  }

  evaluate(events: OracleEvents, nowMs: number, ingestStopped: boolean): void {
    this.#times.push(nowMs);
    const since = this.#since();
    const samples = new Map(this.#samples(events, nowMs).map((sample) => [sample.scope, sample]));
    const scopes = this.rule.groupBy === null ? [''] : [...new Set([...samples.keys(), ...this.#readings.keys()])];
    const values: number[] = [];
    for (const scope of scopes) {
      const sample = samples.get(scope) ?? { scope, size: 0, value: null };
      const value = sample.size >= this.rule.minCount ? sample.value : null;
      if (value !== null) values.push(value);
      const silenceUnknown = this.rule.type === 'ingest-stopped' && !this.#silenceObserved(events, nowMs, since);
      const observed = nowMs - since >= this.rule.windowMs;
      this.#apply(scope, nowMs, value, this.#read(value, { observed, ingestStopped, silenceUnknown }));
    }
    values.sort((left, right) => (this.#lowerIsWorse ? left - right : right - left));
    this.value = values[0] ?? null;
    this.state = this.open.length > 0 ? 'firing' : values.length > 0 ? 'ok' : 'no_data';
  }

  get #lowerIsWorse(): boolean {
    return this.rule.type === 'quality';
  }

  /** The first evaluation is one after a gap. One before the last gap, by a clock that was set back, begins anew too. */
  #since(): number {
    const { gapMs, always } = this.#given;
    if (always) return Number.NEGATIVE_INFINITY;
    let since = Infinity;
    let last = Number.NEGATIVE_INFINITY;
    for (const at of this.#times) {
      if (at - last > gapMs || at < since) since = at;
      last = at;
    }
    return since;
  }

  #silenceObserved({ newestMs }: OracleEvents, nowMs: number, since: number): boolean {
    const { windowMs } = this.rule;
    return newestMs === null || nowMs - newestMs <= windowMs || nowMs - since > windowMs;
  }

  #fires(value: number, threshold: number): boolean {
    if (this.rule.type === 'quality') return value < threshold;
    return this.rule.type === 'guardrail' ? value >= threshold : value > threshold;
  }

  #read(value: number | null, given: { observed: boolean; ingestStopped: boolean; silenceUnknown: boolean }): Reading {
    const { threshold, recoveryThreshold, noData, type } = this.rule;
    if (value !== null) {
      if (given.silenceUnknown) return '-';
      if (this.#fires(value, threshold)) return 'T';
      return this.#fires(value, recoveryThreshold) ? 'M' : 'F';
    }
    if (noData === 'resolve') return 'F';
    if (noData === 'fire') return given.observed && (!given.ingestStopped || type === 'ingest-stopped') ? 'T' : '-';
    return '-';
  }

  #apply(scope: string, at: number, value: number | null, reading: Reading): void {
    const readings = this.#readings.get(scope) ?? [];
    readings.push({ at, reading });
    this.#readings.set(scope, readings);
    const incident = this.open.find((one) => (one.scope ?? '') === scope);
    if (!incident) {
      if (this.#mayOpen(scope, readings)) {
        if (this.#reopens(scope, at, value, readings.length)) return;
        this.incidents.push({
          scope: scope === '' ? null : scope,
          openedMs: at,
          from: readings.length,
          resolution: null,
          resolvedMs: null,
          firstValue: value,
          value,
          peakValue: value,
        });
      }
      return;
    }
    if (value !== null) {
      incident.value = value;
      const better =
        incident.peakValue !== null && (this.#lowerIsWorse ? value >= incident.peakValue : value <= incident.peakValue);
      if (!better) incident.peakValue = value;
    }
    const last = readings.slice(incident.from).slice(-2);
    const twice = last.length === 2 && last.every((one) => one.reading === 'F');
    if (twice) incident.resolution = value === null ? 'no_data' : 'recovered';
    if (twice) incident.resolvedMs = at;
  }

  /** Whether the scope's last incident, which ended by itself at most 15 minutes ago, goes on. */
  #reopens(scope: string, at: number, value: number | null, from: number): boolean {
    const last = this.incidents.findLast((one) => (one.scope ?? '') === scope);
    if (!last || last.resolvedMs === null || last.resolution === 'manual') return false;
    if (at < last.resolvedMs || at - last.resolvedMs > 15 * 60_000) return false;
    Object.assign(last, { resolution: null, resolvedMs: null, from });
    if (value === null) return true;
    last.value = value;
    const better = last.peakValue !== null && (this.#lowerIsWorse ? value >= last.peakValue : value <= last.peakValue);
    if (!better) last.peakValue = value;
    return true;
  }

  /** The condition holds now and has for `forMs` of observed time, and was false since a person resolved an incident. */
  #mayOpen(scope: string, readings: ReadonlyArray<{ at: number; reading: Reading }>): boolean {
    const resolved = this.#resolvedAt.get(scope);
    if (resolved !== undefined) {
      if (!readings.slice(resolved).some(({ reading }) => reading !== 'T' && reading !== '-')) return false;
      this.#resolvedAt.delete(scope);
    }
    const first = readings.findLastIndex(({ reading }) => reading !== 'T') + 1;
    const run = readings.slice(first);
    let held = 0;
    for (const [index, { at }] of run.entries()) {
      const passed = index === 0 ? 0 : at - (run[index - 1]?.at ?? at);
      held = passed > this.#given.gapMs ? 0 : held + Math.max(passed, 0);
    }
    return run.length > 0 && held >= this.rule.forMs;
  }

  #samples(events: OracleEvents, nowMs: number): Sample[] {
    const { type } = this.rule;
    if (type === 'ingest-stopped') {
      const { newestMs } = events;
      return newestMs === null ? [] : [{ scope: '', size: 1, value: Math.max(0, nowMs - newestMs) / 1_000 }];
    }
    const inWindow = (at: number) => at >= nowMs - this.rule.windowMs && at <= nowMs;
    if (type === 'quality') return this.#ofScores(events, inWindow);
    if (type === 'guardrail') return this.#ofChecks(events, inWindow);
    return this.#ofCalls(events, inWindow);
  }

  #matches(call: OracleCall): boolean {
    const { agents, operations, environment } = this.rule;
    return (
      within(agents, call.agent) &&
      within(operations, call.operation) &&
      (environment === null || call.environment === environment)
    );
  }

  #scopeOf(call: Pick<OracleCall, 'model' | 'agent' | 'environment'>): string | null {
    const { groupBy } = this.rule;
    return groupBy === null ? '' : call[groupBy] === '' ? null : call[groupBy];
  }

  #ofCalls({ calls }: OracleEvents, inWindow: (at: number) => boolean): Sample[] {
    const { type, models, meets } = this.rule;
    const found = calls.filter(
      (call) =>
        inWindow(call.startMs) &&
        this.#matches(call) &&
        within(models, call.model) &&
        (meets === undefined ||
          meets(
            call,
            calls.filter(({ traceId }) => traceId === call.traceId),
          )) &&
        (type !== 'latency' || call.durationMs !== null),
    );
    return grouped(found, (call) => this.#scopeOf(call)).map(([scope, of]) => {
      if (type === 'latency') {
        const sorted = of.map(({ durationMs }) => durationMs ?? 0).sort((left, right) => left - right);
        return { scope, size: of.length, value: sorted[Math.floor(0.95 * (of.length - 1))] ?? null };
      }
      const sum = of.reduce((total, { error, cost }) => total + (type === 'cost' ? cost : Number(error)), 0);
      return { scope, size: of.length, value: type === 'cost' ? sum : sum / of.length };
    });
  }

  #ofScores({ calls, scores }: OracleEvents, inWindow: (at: number) => boolean): Sample[] {
    const { models, evaluators, groupBy, agents, operations, environment } = this.rule;
    const own = evaluators !== null && new Set(evaluators).size === 1;
    const counted: Array<{ scope: string; value: number }> = [];
    for (const { traceId, spanId, atMs, score, scale, evaluator, model } of scores) {
      if (!inWindow(atMs) || !within(evaluators, evaluator) || !within(models, model) || (!own && scale === null)) continue;
      const [low, high] = scale ?? [0, 1];
      const value = own ? score : (score - low) / (high - low);
      const narrowed =
        environment !== null || agents !== null || operations !== null || groupBy === 'agent' || groupBy === 'environment';
      const ofTrace = calls.filter((call) => call.traceId === traceId);
      const scored = ofTrace.filter((call) => call.spanId === spanId);
      const matching = (scored.length > 0 ? scored : ofTrace).filter((call) => this.#matches(call));
      const scopes = narrowed
        ? new Set(matching.map((call) => (groupBy === 'model' ? model || null : this.#scopeOf(call))))
        : new Set([groupBy === 'model' ? model || null : '']);
      for (const scope of scopes) if (scope !== null) counted.push({ scope, value });
    }
    return grouped(counted, ({ scope }) => scope).map(([scope, of]) => ({
      scope,
      size: of.length,
      value: of.reduce((sum, { value }) => sum + value, 0) / of.length,
    }));
  }

  #ofChecks({ checks }: OracleEvents, inWindow: (at: number) => boolean): Sample[] {
    const { guardrails, environment, groupBy } = this.rule;
    const found = checks.filter(({ atMs, environment: own }) => inWindow(atMs) && (environment === null || own === environment));
    return grouped(found, ({ environment: own }) => (groupBy === null ? '' : own || null))
      .map(([scope, of]) => {
        const results = of.flatMap((check) => check.results.filter(({ guardrail }) => within(guardrails, guardrail)));
        if (guardrails !== null) {
          return { scope, size: results.length, value: results.filter(({ triggered }) => triggered).length };
        }
        const value = of.filter((check) => check.results.some(({ triggered }) => triggered)).length;
        return { scope, size: of.length, value };
      })
      .filter(({ size }) => size > 0);
  }
}

function grouped<T>(items: readonly T[], scopeOf: (item: T) => string | null): Array<[string, T[]]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const scope = scopeOf(item);
    if (scope !== null) groups.set(scope, [...(groups.get(scope) ?? []), item]);
  }
  return [...groups];
}
