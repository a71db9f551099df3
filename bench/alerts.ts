import type { App } from '../src/app.ts';
import type { AlertPage } from '../src/contract/alerts.ts';
import type { ClickHouse } from '../src/platform/clickhouse/index.ts';
import { benchRules, byHand } from './alert-rules.ts';
import type { BenchRule } from './alert-rules.ts';
import { median } from './figure.ts';
import type { Figure } from './figure.ts';

/** Writes scores and guardrail activity beside the stored calls: a score for every fifth call, half of them of its trace, and checks for every tenth. */
export async function fillScoresAndChecks(clickhouse: ClickHouse): Promise<void> {
  await clickhouse.command(
    `INSERT INTO quality (project_id, hour, score_id, version, start_time, model, evaluator, score, trace_id, span_id)
     SELECT project_id, hour, concat('score-', span_id), 1, start_time, model, concat('evaluator-', toString(sipHash64(span_id, 1) % 4)),
       sipHash64(span_id, 2) % 101 / 100, trace_id, if(sipHash64(span_id, 3) % 2 = 0, span_id, '')
     FROM calls WHERE version = 1 AND sipHash64(span_id) % 5 = 0`,
  );
  await clickhouse.command(
    `INSERT INTO guardrail_activity (project_id, activity_id, version, start_time, stage, environment, checks, flagged, blocked, guardrails,
       guardrail_types, guardrail_checks, guardrail_flagged, guardrail_redacted, guardrail_blocked, guardrail_failed)
     SELECT project_id, concat(lower(hex(toUnixTimestamp64Milli(start_time))), '-', span_id), 1, start_time, 'input', environment, 10,
       sipHash64(span_id, 1) % 3, sipHash64(span_id, 1) % 2, ['secrets', 'pii'], ['regex', 'pii'], [10, 10], [sipHash64(span_id, 1) % 3, 0], [0, 0],
       [0, sipHash64(span_id, 1) % 2], [0, 0]
     FROM calls WHERE version = 1 AND sipHash64(span_id) % 10 = 0`,
  );
}

export interface AlertBench {
  app: App;
  project: string;
  headers: Readonly<Record<string, string>>;
  /** When the stored calls end, epoch milliseconds; the app's clock says the same. */
  nowMs: number;
  /** How the figures name the data set. */
  title: string;
  repetitions: number;
}

/**
 * One interval of 50 alert rules, beside one statement by hand a rule, and one preview of each type. Needs the project's calls, scores and activity
 * until `nowMs`. Throws when a rule cannot be evaluated, or most have no data.
 */
export async function benchAlerts(bench: AlertBench): Promise<Figure[]> {
  const { app, project, nowMs, title, repetitions } = bench;
  const rules = benchRules();
  await send(bench, 'environments', { name: 'production' });
  for (const rule of rules) await send(bench, 'alerts', rule);
  const interval = async () => {
    for (const job of app.features.alerts.jobs ?? []) await job.run(new AbortController().signal);
  };
  const hand = async () => {
    for (const rule of rules) await app.stores.clickhouse.systemQuery(byHand(rule), { project, now: nowMs });
  };
  await interval();
  await requireEvaluated(bench, rules.length);
  const [intervals, hands]: [Usage[], Usage[]] = [[], []];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    intervals.push(await usageOf(interval));
    hands.push(await usageOf(hand));
  }
  const middle = (usages: readonly Usage[], field: keyof Usage) => median(usages.map((usage) => usage[field])).toFixed(0);
  return [
    {
      title: `an interval of ${rules.length} alert rules ÷ one statement by hand a rule, CPU, ${title}`,
      values: intervals.map(({ cpuMs }, index) => cpuMs / (hands[index]?.cpuMs ?? 0)),
      unit: '',
      detail: `${middle(intervals, 'cpuMs')} ÷ ${middle(hands, 'cpuMs')} ms of CPU; ${middle(intervals, 'ms')} ÷ ${middle(hands, 'ms')} ms`,
    },
    {
      title: `– an interval of ${rules.length} alert rules`,
      values: intervals.map(({ ms }) => ms),
      unit: 'ms',
      wanted: { most: 2_000 },
    },
    await previewFigure(bench, rules),
  ];
}

/** One preview of each type, by the first rule of it, and one of scores that count by their calls. */
async function previewFigure(bench: AlertBench, rules: readonly BenchRule[]): Promise<Figure> {
  const nameOf = ({ type, filter }: BenchRule) => (type === 'quality' && filter.agents ? 'quality of an agent' : type);
  const ofTypes = [...new Map(rules.toReversed().map((rule) => [nameOf(rule), rule])).values()];
  const times = new Map(ofTypes.map((rule): [string, number[]] => [nameOf(rule), []]));
  for (let repetition = 0; repetition < bench.repetitions; repetition++) {
    for (const rule of ofTypes) {
      const { ms } = await usageOf(() => send(bench, 'alerts/preview', { ...rule, window: '24h' }));
      times.get(nameOf(rule))?.push(ms);
    }
  }
  return {
    title: `preview of an alert rule over 30 days, ${bench.title}`,
    values: [...times.values()].map(median),
    unit: 'ms',
    detail: [...times].map(([type, values]) => `${type} ${median(values).toFixed(0)} ms`).join(', '),
  };
}

/** Every rule was evaluated, and most have data: a small data set has no score of an agent in five minutes. */
async function requireEvaluated({ app, project, headers }: AlertBench, count: number): Promise<void> {
  const answer = await fetch(`${app.url}/v1/projects/${project}/alerts?limit=200`, { headers });
  const { alerts } = (await answer.json()) as AlertPage;
  const evaluated = alerts.filter(({ lastEvaluatedAt, lastError }) => lastEvaluatedAt !== null && lastError === null);
  const withData = alerts.filter(({ state, lastValue }) => state === 'ok' && lastValue !== null);
  if (evaluated.length === count && withData.length > 0.8 * count) return;
  throw new Error(`of ${count} alert rules ${evaluated.length} were evaluated and ${withData.length} have data`);
}

/** What an earlier run on the same directory has made stays. */
async function send({ app, project, headers }: AlertBench, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${app.url}/v1/projects/${project}/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok && answer.status !== 409)
    throw new Error(`POST ${path} was answered with ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

interface Usage {
  ms: number;
  /** CPU time of the process, the embedded engine's threads included. */
  cpuMs: number;
}

async function usageOf(work: () => Promise<unknown>): Promise<Usage> {
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - started, cpuMs: (user + system) / 1_000 };
}
