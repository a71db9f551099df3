import { openFakeChatServer, refuses, says } from '../../src/features/model-connections/ask/fake-chat-server.fixture.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { callsOf } from './special-operations.ts';
import { hostileName } from './special-traces.ts';

/** Generated IDs of a scenario and its batch runs, by their placeholders in paths. */
export interface SimulationPlaces {
  scenario: string;
  baselineBatch: string;
  batchRun: string;
  /** An item that regressed, as in the URL. */
  batchItem: string;
}

interface Question {
  question: string;
  expected: string;
  before: string;
  after: string;
}

/** What people ask, what is right, and what two versions of a prompt answer; an empty answer is a failure of the model server. */
const questions: readonly Question[] = [
  {
    question: 'When does my contract end?',
    expected: 'On 31 December 2027.',
    before: 'On 31 December 2027.',
    after: 'Your contract ends in two years.',
  },
  {
    question: 'Can I pay by invoice?',
    expected: 'Yes, from 10 seats.',
    before: 'Please ask our sales team.',
    after: 'Yes, from 10 seats.',
  },
  {
    question: 'How do I add a colleague?',
    expected: 'Under Settings, Members.',
    before: 'Under Settings, Members.',
    after: 'Under Settings, Members.',
  },
  { question: 'Where is my data stored?', expected: 'In Frankfurt.', before: 'In Frankfurt.', after: '' },
  { question: 'Is there a phone number?', expected: 'No.', before: 'Yes: 0800 1234.', after: 'Please write to us.' },
  { question: hostileName, expected: hostileName, before: hostileName, after: `${hostileName} and more` },
  ...Array.from({ length: 18 }, (_, index): Question => {
    const expected = `Answer ${index + 1} of the manual.`;
    return { question: `Question ${index + 1} of the manual?`, expected, before: expected, after: expected };
  }),
];

/** Creates a scenario that asks a model, and two completed batch runs of it. Requires that the service may reach this machine. */
export async function specialSimulations(
  service: Service,
  { cookie, projectId }: { cookie: string; projectId: string },
): Promise<SimulationPlaces> {
  const chat = await openFakeChatServer();
  try {
    const call = callsOf(service, { cookie, projectId });
    const root = async <T>(path: string, body: object): Promise<T> => {
      const answer = await fetch(`${service.url}${path}?projectId=${projectId}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as T;
    };
    await call('POST', '/model-connections', { name: 'staging', baseUrl: chat.url, model: 'gpt-4o-mini', apiKey: 'sk-none' });
    await root('/v1/prompts', { name: 'contracts', prompt: 'Answer from the manual: {{input}}', labels: ['production'] });
    const dataset = await root<{ id: string }>('/v1/datasets', { name: 'contract questions' });
    const { items } = await root<{ items: Array<{ id: string }> }>(`/v1/datasets/${dataset.id}/items`, {
      items: questions.map(({ question, expected }) => ({ input: question, expectedOutput: expected })),
    });
    const { id: scenario } = await call<{ id: string }>('POST', '/simulations/scenarios', {
      name: 'Contract questions',
      description: 'What customers ask about contracts, against the manual.',
      datasetId: dataset.id,
      target: { type: 'prompt', promptName: 'contracts', connection: 'staging' },
      referenceMatch: { mode: 'fuzzy' },
    });
    const run = async (label: string, side: 'before' | 'after') => {
      chat.answers((response, request) => {
        const content = (request.body.messages[0]?.content ?? '').replace('Answer from the manual: ', '');
        const answer = questions.find(({ question }) => question === content)?.[side] ?? '';
        const usage = { prompt_tokens: 200 + 9 * content.length, completion_tokens: 12 * answer.length };
        (answer === '' ? refuses(400, 'the input was rejected') : says(answer, { usage }))(response, request);
      });
      const { batchRun } = await call<{ batchRun: { id: string } }>('POST', '/simulations/batch-runs', {
        scenarioId: scenario,
        label,
      });
      await until('the batch run has ended', async () => {
        const read = await call<{ batchRun: { status: string } }>('GET', `/simulations/batch-runs/${batchRun.id}`);
        return read.batchRun.status === 'completed';
      });
      return batchRun.id;
    };
    const baselineBatch = await run('main', 'before');
    const batchRun = await run('shorter-prompt', 'after');
    // Tests find other traces as the newest ones.
    await deleteTraces(service, { cookie, projectId });
    return { scenario, baselineBatch, batchRun, batchItem: `${items[0]?.id}.1` };
  } finally {
    await chat.close();
  }
}

async function deleteTraces(service: Service, { cookie, projectId }: { cookie: string; projectId: string }): Promise<void> {
  const traces = `${service.url}/v1/projects/${projectId}/traces`;
  const left = async () => {
    const answer = await fetch(`${traces}?tag=simulation&limit=200`, { headers: { cookie } });
    return ((await answer.json()) as { traces: Array<{ traceId: string }> }).traces;
  };
  await until('the traces can be read', async () => (await left()).length === 2 * questions.length);
  for (const { traceId } of await left()) await fetch(`${traces}/${traceId}`, { method: 'DELETE', headers: { cookie } });
  await until('the traces are deleted', async () => (await left()).length === 0);
}
