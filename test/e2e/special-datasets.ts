import type { Service } from '../support/service.ts';
import { hostileName, toolTraceId } from './special-traces.ts';

/** IDs of the created datasets, by their placeholders in paths. */
export interface DatasetPlaces {
  dataset: string;
  emptyDataset: string;
  hostileDataset: string;
  /** An item of `dataset` with a regression in the newer run. */
  item: string;
  olderRun: string;
  newerRun: string;
}

const questions: ReadonlyArray<readonly [question: string, expected: string, before: string, after: string]> = [
  [
    'Do I need an umbrella in Utrecht tomorrow?',
    'Yes, 7 mm of rain.',
    'Yes, take one.',
    'Yes: 7 mm of rain and a strong wind. Take one.',
  ],
  ['Will it freeze tonight?', 'No, 4 °C at the coldest.', 'No.', 'No, it stays at 4 °C.'],
  ['How windy is it on the coast?', 'Wind force 7.', 'It is quite windy.', 'Wind force 7 from the west.'],
  ['Can I sail on Sunday?', 'No, there is a storm warning.', 'No, there is a storm warning.', 'Yes, it looks fine.'],
  ['When does the sun set in Oslo?', 'At 15:32.', 'At 15:30 or so.', 'At 15:32.'],
  ['Is the road over the pass open?', 'Closed until April.', 'Closed until April.', 'Closed until April.'],
  ['What is the pollen count?', 'Low.', 'I do not know.', 'Low.'],
  ['Should I water the garden?', 'No, rain comes tonight.', 'Yes.', 'No, rain comes tonight.'],
  ['Is it safe to swim?', 'No, the sea is too rough.', 'No, the sea is too rough.', 'The sea is rough; better not.'],
  ['How hot will Friday be?', '19 °C.', 'About 18 °C.', '19 °C in the afternoon.'],
  ['Will the match be rained off?', 'Probably not.', 'Maybe.', 'Probably not: showers pass by noon.'],
  ['Do flights leave on time?', 'Most of them.', 'Most of them.', 'Most of them do.'],
];

/** Scores of the evaluator `helpfulness` for each answer. */
const helpfulness: Readonly<Record<2 | 3, readonly number[]>> = {
  2: [0.7, 0.5, 0.3, 1, 0.6, 1, 0, 0.1, 0.95, 0.6, 0.4, 0.9],
  3: [0.95, 0.8, 0.75, 0.4, 0.9, 1, 0.9, 0.95, 0.7, 0.9, 0.8, 0.9],
};

/** Creates datasets with items and runs, which are scored through their traces. Requires the special traces. */
export async function specialDatasets(service: Service, endMs: number): Promise<DatasetPlaces> {
  const dataset = await call(service, '/v1/datasets', {
    name: 'weather questions',
    description: 'What people ask about tomorrow, with what a careful forecaster would say.',
  });
  const { items } = await call(service, `/v1/datasets/${dataset.id}/items`, {
    items: questions.map(([question, expected], index) => ({
      input: index % 4 === 0 ? [{ role: 'user', content: question }] : question,
      expectedOutput: expected,
      metadata: { topic: index % 2 === 0 ? 'rain' : 'other' },
    })),
  });
  await call(service, `/v1/datasets/${dataset.id}/items`, { source: { traceId: toolTraceId, spanId: 'answer' } });
  const run = async (name: string, column: 2 | 3) => {
    await ingest(
      service,
      questions.flatMap((_, index) => traceOf(endMs, column, index)),
    );
    const { id } = await call(service, `/v1/datasets/${dataset.id}/runs`, { name });
    await call(service, `/v1/datasets/${dataset.id}/runs/${id}/items`, {
      items: items.map((item, index) => ({
        datasetItemId: item.id,
        traceId: traceIdOf(column, index),
        output: questions[index]?.[column],
        latencyMs: 700 + ((index * 137) % 400) + column * 60,
        costUsd: (3 + ((index * 7) % 5)) / 10_000,
        ...(column === 3 && index === 8 ? { error: 'the model refused at first: rate limit' } : {}),
      })),
    });
    return id;
  };
  const olderRun = await run('prompt v1', 2);
  const newerRun = await run('prompt v2', 3);
  const { id: emptyDataset } = await call(service, '/v1/datasets', { name: 'hard questions' });
  const hostile = await call(service, '/v1/datasets', { name: plain(hostileName), description: plain(hostileName) });
  await call(service, `/v1/datasets/${hostile.id}/items`, {
    input: hostileName,
    expectedOutput: [{ role: hostileName, content: hostileName }],
    metadata: { [hostileName]: hostileName },
  });
  return { dataset: dataset.id, emptyDataset, hostileDataset: hostile.id, item: items[3]?.id ?? '', olderRun, newerRun };
}

const traceIdOf = (column: 2 | 3, index: number) => `weather-run-${column - 1}-${index + 1}`;

function traceOf(endMs: number, column: 2 | 3, index: number): object[] {
  const traceId = traceIdOf(column, index);
  const startMs = endMs - 2 * 86_400_000 + index * 5_000;
  const score = helpfulness[column][index] ?? 0;
  const [question, expected, before, after] = questions[index] ?? ['', '', '', ''];
  const output = column === 2 ? before : after;
  return [
    {
      type: 'span',
      traceId,
      spanId: 'root',
      name: 'answer the weather question',
      kind: 'agent',
      environment: 'evaluation',
      startTime: new Date(startMs).toISOString(),
      endTime: new Date(startMs + 800).toISOString(),
      status: 'ok',
      input: question,
      output,
    },
    {
      type: 'score',
      scoreId: `${traceId}-helpfulness`,
      traceId,
      evaluator: 'helpfulness',
      score,
      passed: score >= 0.5,
      comment: score < 0.5 ? 'Does not say what the forecast says.' : 'Says what was asked.',
    },
    {
      type: 'score',
      scoreId: `${traceId}-exact`,
      traceId,
      evaluator: 'exact',
      score: output === expected,
      passed: output === expected,
    },
  ];
}

interface Made {
  id: string;
  items: Array<{ id: string }>;
}

async function call(service: Service, path: string, body: object): Promise<Made> {
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Made;
}

async function ingest(service: Service, events: readonly object[]): Promise<void> {
  const answer = await fetch(`${service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/x-ndjson' },
    body: events.map((event) => JSON.stringify(event)).join('\n'),
  });
  const { rejected } = (await answer.json()) as { rejected?: unknown[] };
  if (answer.status !== 202 || (rejected?.length ?? 0) > 0) throw new Error(`ingestion refused: ${JSON.stringify(rejected)}`);
}

/** Removes control characters, which names reject. */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, '').slice(0, 200);
}
