import type { ClickHouse, TenantReader } from '../../platform/clickhouse/index.ts';
import { planFigures } from '../figures/index.ts';
import type { HourStates, Parts, Window } from '../figures/index.ts';
import { countTraces } from './count-traces.ts';
import {
  callsSql,
  modelsSql,
  maxItems,
  overviewQualitySql,
  overviewSql,
  percentilesSql,
  timelineP95Sql,
  qualitySql,
  qualityTotalsSql,
  totalsSql,
  unnamedSql,
  unpricedSql,
} from './figures-sql.ts';

/** Sums over a group of calls; first and last start in epoch milliseconds. */
export interface CallSums {
  calls: number;
  finished: number;
  errors: number;
  unpriced: number;
  partly_priced: number;
  cost: number;
  duration_sum: number;
  ttft_sum: number;
  ttft_count: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  reasoning_tokens: number;
  first_seen: number;
  last_seen: number;
}

/** A group of calls; `item` is the value of the dimension, or, for the dimension `model`, the day or `''`. */
export interface CallGroup extends CallSums {
  dimension: 'model' | 'provider' | 'agent' | 'operation' | 'error';
  model: string;
  item: string;
}

/** All groups of one dimension together. */
export interface CallTotals {
  dimension: CallGroup['dimension'];
  items: number;
  calls: number;
  cost: number;
}

/** A model in the list of models. */
export interface ListedCalls extends CallSums {
  model: string;
  /** `''`: no call names one. */
  provider: string;
  agents: number;
  operations: number;
  all_calls: number;
  all_cost: number;
}

/** Calls on one day of one model or agent, or, where `name` is `''`, of all that are not listed. */
export interface DayOfCalls extends CallSums {
  dimension: 'model' | 'agent';
  name: string;
  day: string;
  /** Number of models, or agents, in the window. */
  names: number;
}

/** Sums for a mean over several evaluators: scores in the share of their scale, without those that are no measure of quality. */
export interface QualityMean {
  quality_evals: number;
  quality_sum: number;
}

/** Sums over a group of scores: of all as they were given, and (`quality_*`) for figures over several evaluators. */
export interface QualitySums extends QualityMean {
  model: string;
  evals: number;
  score_sum: number;
  passed: number;
  failed: number;
  quality_passed: number;
  quality_failed: number;
}

/** Scores on one day of one model, or, where `name` is `''`, of all others. */
export interface DayOfQuality extends QualityMean {
  name: string;
  day: string;
}

/** Calls that name no model. */
export interface UnnamedCalls {
  calls: number;
  errors: number;
}

/** A model with calls that are unpriced, or priced in part. */
export interface UnpricedModel {
  model: string;
  unpriced_calls: number;
  partly_priced_calls: number;
}

/** `''` for evaluator and day: the total of a model. */
export interface QualityGroup extends QualitySums {
  evaluator: string;
  day: string;
}

/** Milliseconds. */
export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

/** The 95th percentile of a model (`''`: of all) in a row of a timeline, milliseconds; 0 when no call has finished. */
export type TimelineP95 = (model: string, day: string) => number;

/** Reads figures of one project and window: from rollups for sealed hours, from rows for dirty ones. */
export class FiguresStore {
  readonly #reader: TenantReader;
  readonly #parts: Parts;
  readonly #parameters: Readonly<Record<string, unknown>>;

  private constructor(reader: TenantReader, parts: Parts, parameters: Readonly<Record<string, unknown>>) {
    this.#reader = reader;
    this.#parts = parts;
    this.#parameters = parameters;
  }

  /**
   * Plans the reads: determines which hours are sealed now. All figures of a response use one plan, so that they are consistent.
   *
   * @param environments those whose spans count; all by default
   */
  static async plan(
    { clickhouse, hourStates }: { clickhouse: ClickHouse; hourStates: HourStates },
    projectId: string,
    window: Window,
    environments?: readonly string[],
  ): Promise<FiguresStore> {
    const { parts, parameters } = await planFigures(hourStates, projectId, window, environments);
    return new FiguresStore(clickhouse.forTenant({ projectId, oldestMs: window.oldestMs }), parts, parameters);
  }

  /** See {@link callsSql}. */
  callsOf(model: string): Promise<CallGroup[]> {
    return this.#ask(callsSql(this.#parts), { model });
  }

  /** The totals of `groups`, the result of {@link callsOf}. Queried only when the limit has cut that result. */
  async totalsOf(model: string, groups: readonly CallGroup[]): Promise<Map<CallGroup['dimension'], CallTotals>> {
    const byDimension = Map.groupBy(groups, ({ dimension }) => dimension);
    if ([...byDimension.values()].some(({ length }) => length >= maxItems)) {
      const rows = await this.#ask<CallTotals>(totalsSql(this.#parts), { model });
      return new Map(rows.map((row) => [row.dimension, row]));
    }
    const sum = (of: readonly CallGroup[], read: (group: CallGroup) => number) =>
      of.reduce((total, group) => total + read(group), 0);
    return new Map(
      [...byDimension].map(([dimension, of]) => [
        dimension,
        { dimension, items: of.length, calls: sum(of, ({ calls }) => calls), cost: sum(of, ({ cost }) => cost) },
      ]),
    );
  }

  /** Every model with calls, sorted by cost, descending. */
  models(): Promise<ListedCalls[]> {
    return this.#ask(modelsSql(this.#parts));
  }

  /** See {@link overviewSql}. */
  overview(): Promise<DayOfCalls[]> {
    return this.#ask(overviewSql(this.#parts));
  }

  /** See {@link overviewQualitySql}. */
  overviewQuality(models: readonly string[]): Promise<DayOfQuality[]> {
    return this.#ask(overviewQualitySql(this.#parts), { models });
  }

  /** See {@link unpricedSql}. */
  unpriced(): Promise<UnpricedModel[]> {
    return this.#ask(unpricedSql(this.#parts));
  }

  /** See {@link unnamedSql}. */
  async unnamed(): Promise<UnnamedCalls> {
    return (await this.#ask<UnnamedCalls>(unnamedSql(this.#parts)))[0] ?? { calls: 0, errors: 0 };
  }

  /** @param model null for all models */
  async percentiles(model: string | null): Promise<Map<string, Percentiles>> {
    const scope = model === null ? 'every' : 'one';
    return byModel(await this.#ask<Percentiles & { model: string }>(percentilesSql(this.#parts, scope), modelParameter(model)));
  }

  /** Percentiles of each of `models`, and, under `''`, of all calls. */
  async percentilesOf(models: readonly string[]): Promise<Map<string, Percentiles>> {
    return byModel(await this.#ask<Percentiles & { model: string }>(percentilesSql(this.#parts, 'named and all'), { models }));
  }

  /** See {@link timelineP95Sql}: of one model, or of each of several and, under `''`, of all calls. */
  async timelineP95(models: string | readonly string[]): Promise<TimelineP95> {
    const [scope, parameters] =
      typeof models === 'string' ? (['one', { model: models }] as const) : (['named and all', { models }] as const);
    const rows = await this.#ask<{ model: string; day: string; p95: number }>(timelineP95Sql(this.#parts, scope), parameters);
    const byName = new Map(
      [...Map.groupBy(rows, ({ model }) => model)].map(([model, of]) => [model, new Map(of.map(({ day, p95 }) => [day, p95]))]),
    );
    return (model, day) => byName.get(model)?.get(day) ?? 0;
  }

  /**
   * Distinct traces by model; see {@link countTraces}.
   *
   * @param model null for all models
   */
  traces(model: string | null): Promise<Map<string, number>> {
    return countTraces(
      (sql, parameters) => this.#ask(sql, { ...modelParameter(model), ...parameters }),
      this.#parts,
      model !== null,
    );
  }

  async qualityTotals(): Promise<Map<string, QualityMean>> {
    return byModel(await this.#ask<QualityMean & { model: string }>(qualityTotalsSql(this.#parts)));
  }

  /** See {@link qualitySql}. */
  qualityOf(model: string): Promise<QualityGroup[]> {
    return this.#ask(qualitySql(this.#parts), { model });
  }

  #ask<T>(sql: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<T[]> {
    if (!this.#parts.sealed && !this.#parts.dirty) return Promise.resolve([]);
    return this.#reader.query<T>(sql, { ...this.#parameters, ...parameters });
  }
}

function byModel<T extends { model: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.model, row]));
}

function modelParameter(model: string | null): Record<string, unknown> {
  return model === null ? {} : { model };
}
