import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openFakeChatServer, refuses, says } from '../model-connections/ask/fake-chat-server.fixture.ts';
import type { FakeChatServer } from '../model-connections/ask/fake-chat-server.fixture.ts';
import { echoes } from '../../../test/support/simulation-target.ts';
import { newName, openSimulationsApp } from './simulations-app.fixture.ts';
import type { SimulationsApp } from './simulations-app.fixture.ts';

let own: SimulationsApp;
let model: FakeChatServer;
const connection = 'model of the tests';
const usage = { usage: { prompt_tokens: 1_000, completion_tokens: 500 } };
beforeAll(async () => {
  model = await openFakeChatServer();
  own = await openSimulationsApp({ SPANWISE_OUTGOING_ALLOW: '127.0.0.0/8' });
  const made = await own.request(
    'POST',
    `/projects/${own.app.projectId}/model-connections`,
    { name: connection, baseUrl: model.url, model: 'gpt-4o', apiKey: 'sk-of-a-test' },
    { cookie: own.app.cookie },
  );
  expect(made.status).toBe(201);
});
afterAll(async () => {
  await own.close();
  await model.close();
});
beforeEach(() => {
  model.answers(says('An answer', usage));
  own.target.answers(echoes);
});

async function prompt(fields: object): Promise<string> {
  const promptName = newName();
  const made = await own.request('POST', '/prompts', { name: promptName, ...fields });
  expect(made.status, made.text).toBe(201);
  return promptName;
}

const scenarioFor = (datasetId: string, promptName: string, more: object = {}) =>
  own
    .simulations('POST', '/scenarios', {
      name: newName(),
      datasetId,
      target: { type: 'prompt', promptName, connection, ...more },
    })
    .then(({ body }) => body.id as string);

describe('trying an item with a prompt target', () => {
  const tried = (promptName: string, input: unknown, more: object = {}) =>
    own.simulations('POST', '/try', { target: { type: 'prompt', promptName, connection }, item: { input }, ...more });

  test('shows the messages, the model, tokens and cost', async () => {
    const promptName = await prompt({
      type: 'chat',
      prompt: [
        { role: 'system', content: 'Be {{tone}}' },
        { role: 'user', content: '{{question}}' },
      ],
      labels: ['production'],
    });
    const { status, body } = await tried(promptName, { tone: 'brief', question: 'why?' });
    expect(status).toBe(200);
    const shown = (text: string) => ({ text, bytes: text.length, truncated: false });
    expect(body).toMatchObject({
      status: 'passed',
      request: null,
      response: null,
      call: {
        promptName,
        promptVersion: 1,
        model: 'gpt-4o',
        messages: [
          { role: 'system', content: shown('Be brief') },
          { role: 'user', content: shown('why?') },
        ],
        inputTokens: 1_000,
        outputTokens: 500,
      },
      output: shown('"An answer"'),
      error: null,
    });
    expect(body.costUsd).toBeGreaterThan(0);
    expect(body.latencyMs).toBeGreaterThan(0);
  });

  test('tells what a batch run would where the model, a variable or the prompt fails', async () => {
    model.answers(refuses(400, 'too long'));
    const promptName = await prompt({ prompt: '{{question}}', labels: ['production'] });
    const { id: datasetId } = await own.dataset([{ input: { question: 'why' } }, { input: {} }]);
    const run = await own.completed(await scenarioFor(datasetId, promptName));
    const [refused, lacking] = await own.items(run.id);
    const answer = await tried(promptName, { question: 'why' });
    expect(answer.body).toMatchObject({
      status: 'error',
      errorKind: 'target',
      error: refused?.error,
      call: { model: null, messages: [{ content: { text: 'why' } }], inputTokens: null },
    });
    expect((await tried(promptName, {})).body).toMatchObject({ status: 'error', error: lacking?.error, call: null });
    const failed = await own.completed(await scenarioFor(datasetId, 'missing'));
    expect((await tried('missing', {})).body).toMatchObject({ status: 'error', error: failed.error, call: null });
  });
});

describe('a prompt target', () => {
  test('asks the model with the variables of the item, and records tokens and cost', async () => {
    const promptName = await prompt({ prompt: 'Answer {{question}} in {{style}}', labels: ['production'] });
    const { id: datasetId } = await own.dataset([
      { input: { question: 'why', style: { length: 1 } } },
      { input: { question: 'how' } },
    ]);
    const run = await own.completed(await scenarioFor(datasetId, promptName));
    expect(run).toMatchObject({ status: 'completed', counts: { passed: 1, error: 1 } });
    expect(run.costUsd).toBeGreaterThan(0);
    expect(model.requests.map(({ body }) => [body.model, body.messages])).toEqual([
      ['gpt-4o', [{ role: 'user', content: 'Answer why in {"length":1}' }]],
    ]);
    const [first, second] = await own.items(run.id);
    expect(first).toMatchObject({ status: 'passed', output: 'An answer', costUsd: run.costUsd });
    expect(second).toMatchObject({ status: 'error', errorKind: 'target', error: expect.stringContaining('no style') });
    await own.app.pipeline.drain();
    const { body } = await own.request('GET', `/projects/${own.app.projectId}/traces/${first?.traceId}`);
    expect(body.spans).toMatchObject([
      { kind: 'chain' },
      {
        kind: 'llm',
        model: 'gpt-4o',
        promptName,
        promptVersion: 1,
        usage: { inputTokens: 1_000, outputTokens: 500 },
        costUsd: run.costUsd,
        output: 'An answer',
      },
    ]);
    expect(body.trace).toMatchObject({ costUsd: run.costUsd });
    const models = await own.request('GET', `/projects/${own.app.projectId}/models`, undefined, { cookie: own.app.cookie });
    expect(models.body.models).toEqual([]);
    const metrics = await own.request('GET', `/projects/${own.app.projectId}/prompts/${encodeURIComponent(promptName)}/metrics`);
    expect(metrics.body.versions.every(({ calls }: { calls: number }) => calls === 0)).toBe(true);
  });

  test.each([
    ['gpt-4o', 0],
    ['nobody-prices-this', 2],
  ])('counts the calls of %s whose cost is not known: %i', async (asked, unpricedCalls) => {
    model.answers(says('An answer', { ...usage, model: asked }));
    const promptName = await prompt({ prompt: 'Answer {{question}}', labels: ['production'] });
    const { id: datasetId } = await own.dataset([{ input: { question: 'why' } }, { input: { question: 'how' } }, { input: {} }]);
    const run = await own.completed(await scenarioFor(datasetId, promptName, { model: asked }));
    expect(run).toMatchObject({ counts: { passed: 2, error: 1 }, unpricedCalls, partlyPricedCalls: 0 });
    const items = await own.items(run.id, `&baseline=${run.id}`);
    // The item without a question was not asked.
    const counts = [1, 1, 0].map((answered) => ({ unpricedCalls: (answered * unpricedCalls) / 2, partlyPricedCalls: 0 }));
    expect(items).toMatchObject(counts.map((one) => ({ ...one, baseline: one })));
    // The traces say the same, and so does the dataset run, which reads them.
    await own.app.pipeline.drain();
    for (const [index, { traceId }] of items.entries()) {
      const { body } = await own.request('GET', `/projects/${own.app.projectId}/traces/${traceId}`);
      expect(body.trace).toMatchObject(counts[index] ?? {});
    }
    const shown = await own.request('GET', `/datasets/${datasetId}/runs/${run.datasetRunId}`);
    expect(shown.body.aggregates).toMatchObject({ costUsd: run.costUsd, unpricedCalls, partlyPricedCalls: 0 });
  });

  test("sends the configuration's parameters, and names what it or the model leaves out", async () => {
    const config = {
      temperature: 0.2,
      responseFormat: { type: 'json_object' },
      model: 'gpt-4o-mini',
      top_k: 5,
      tools: [],
      owner: 'ml',
    };
    const promptName = await prompt({ prompt: 'Say {{input}}', config, labels: ['production'] });
    const { id: datasetId } = await own.dataset([{ input: 'a' }, { input: 'b' }]);
    model.answers(refuses(400, 'Unrecognized request argument supplied: top_k'), says('An answer', usage));
    const run = await own.completed(await scenarioFor(datasetId, promptName), { concurrency: 1 });
    expect(run).toMatchObject({ counts: { passed: 2, error: 0 } });
    const sent = { model: 'gpt-4o-mini', temperature: 0.2, response_format: { type: 'json_object' } };
    expect(model.requests.map(({ body: { messages: _messages, ...body } }) => body)).toEqual([
      { ...sent, top_k: 5, stream: false },
      { ...sent, stream: false },
      { ...sent, stream: false },
    ]);
    const [first] = await own.items(run.id);
    await own.app.pipeline.drain();
    const { body } = await own.request('GET', `/projects/${own.app.projectId}/traces/${first?.traceId}`);
    expect(body.spans[1].metadata).toEqual({
      ignored: ['owner', 'tools', 'top_k'],
      parameters: { temperature: 0.2, response_format: { type: 'json_object' } },
    });
    const tried = await own.simulations('POST', '/try', {
      target: { type: 'prompt', promptName, connection, model: 'other' },
      item: { input: 'a' },
    });
    expect(tried.body.call).toMatchObject({ model: 'other', ignored: ['owner', 'tools'] });
  });

  test('takes the label and the model of the scenario, and a resumed run keeps the version', async () => {
    const promptName = await prompt({ prompt: 'One {{input}}', labels: ['staging'] });
    await own.request('POST', '/prompts', { name: promptName, prompt: 'Two {{input}}' });
    const { id: datasetId } = await own.dataset([{ input: 'x' }]);
    const staging = await own.completed(await scenarioFor(datasetId, promptName, { label: 'staging', model: 'other' }));
    expect(staging.status).toBe('completed');
    expect(model.requests.map(({ body }) => [body.model, body.messages[0]?.content])).toEqual([['other', 'One x']]);
    // Without the label production the newest version, as everywhere.
    await own.completed(await scenarioFor(datasetId, promptName));
    expect(model.requests.at(-1)?.body.messages[0]?.content).toBe('Two x');
    const { db } = own.app.features.simulations.context;
    const { id } = await own.start(await scenarioFor(datasetId, promptName));
    await db.updateTable('simulation_batch_runs').set({ prompt_version: 1 }).where('id', '=', id).execute();
    await own.runPending();
    expect(model.requests.at(-1)?.body.messages[0]?.content).toBe('One x');
  });

  test.each([
    ['prompt', { promptName: 'no such prompt' }],
    ['label', { label: 'no such label' }],
    ['connection', { connection: 'no such connection' }],
  ])('without its %s fails the run', async (_what, more) => {
    const promptName = await prompt({ prompt: 'Say {{input}}' });
    const { id: datasetId } = await own.dataset([{ input: 'x' }]);
    const run = await own.completed(await scenarioFor(datasetId, promptName, more));
    expect(run).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('create it, or change the scenario'),
      counts: { cancelled: 1 },
    });
    expect(run.completedAt).not.toBeNull();
  });

  test('whose model refuses makes an error of the item', async () => {
    model.answers(refuses(400, 'too long'));
    const { id: datasetId } = await own.dataset([{ input: 'x' }]);
    const run = await own.completed(await scenarioFor(datasetId, await prompt({ prompt: 'Say {{input}}' })));
    expect((await own.items(run.id))[0]).toMatchObject({
      status: 'error',
      errorKind: 'target',
      error: expect.stringContaining('too long'),
    });
  });

  test.each([401, 403, 404])('that was answered with %s has a latency', async (status) => {
    model.answers(refuses(status, 'no'));
    const { id: datasetId } = await own.dataset([{ input: 'x' }]);
    const run = await own.completed(await scenarioFor(datasetId, await prompt({ prompt: 'Say {{input}}' })));
    expect((await own.items(run.id))[0]?.latencyMs).toBeGreaterThan(0);
  });

  test('that was answered with a refusal has the latency of the answer, in its run, its dataset run and its trace', async () => {
    model.answers(refuses(400, 'no'));
    const { id: datasetId } = await own.dataset([{ input: 'x' }]);
    const run = await own.completed(await scenarioFor(datasetId, await prompt({ prompt: 'Say {{input}}' })));
    const [item] = await own.items(run.id);
    expect(item?.latencyMs).toBeGreaterThan(0);
    expect(run.latencyP50Ms).toBe(item?.latencyMs);
    await own.app.pipeline.drain();
    const { body } = await own.request('GET', `/datasets/${datasetId}/runs/${run.datasetRunId}`);
    expect(body).toMatchObject({ aggregates: { latencyP50Ms: item?.latencyMs }, items: [{ latencyMs: item?.latencyMs }] });
    const trace = await own.request('GET', `/projects/${own.app.projectId}/traces/${item?.traceId}`);
    expect(trace.body.trace.durationMs).toBeCloseTo(item?.latencyMs ?? 0, 3);
  });

  test('keeps an output of up to 4 MiB', async () => {
    const { id: datasetId } = await own.dataset([{ input: 'x' }]);
    const scenario = await scenarioFor(datasetId, await prompt({ prompt: 'Say {{input}}' }));
    model.answers(says('"'.repeat(2_000_000)));
    expect(await own.items((await own.completed(scenario)).id)).toMatchObject([
      { status: 'passed', output: '"'.repeat(2_000_000) },
    ]);
    model.answers(says('a'.repeat(4_200_000)));
    const error = expect.stringMatching(/more than 4 MiB/) as string;
    expect(await own.items((await own.completed(scenario)).id)).toMatchObject([{ status: 'error', error }]);
    model.answers(says('a'.repeat(9_000_000)));
    const tooLarge = expect.stringMatching(/is too large/) as string;
    expect(await own.items((await own.completed(scenario)).id)).toMatchObject([{ status: 'error', error: tooLarge }]);
  });
});

describe('a judge', () => {
  let judge: string;
  beforeAll(async () => {
    const { body } = await own.request('GET', `/projects/${own.app.projectId}/model-connections`, undefined, {
      cookie: own.app.cookie,
    });
    judge = 'judge-of-simulations';
    const config = { connectionId: body.modelConnections[0].id, model: 'gpt-4o', instructions: 'Is it good?', scale: [0, 10] };
    await own.evaluator({ slug: judge, type: 'llm_judge', config, passThreshold: 5, target: 'trace' });
  });

  test('runs once the answer is recorded, and decides whether the item passes', async () => {
    const { id: datasetId } = await own.dataset([{ input: 'a' }, { input: 'b' }]);
    const recorded: unknown[] = [];
    model.answers((response, request) => {
      void (async () => {
        const [run] = (await own.simulations('GET', '/batch-runs?limit=1')).body.batchRuns;
        recorded.push(
          ...(await own.items(run.id)).filter(({ output }) => output !== null).map(({ status, output }) => [status, output]),
        );
        says({ score: request.body.messages.some(({ content }) => content.includes('"b"')) ? 9 : 3, reasoning: 'Because' })(
          response,
          request,
        );
      })();
    });
    const run = await own.completed(await own.scenario({ datasetId, evaluators: [judge] }), { concurrency: 1 });
    expect(recorded[0]).toEqual(['pending', 'a']);
    const items = await own.items(run.id);
    expect(items.map(({ status, scores }) => [status, scores.length])).toEqual([
      [expect.stringMatching(/passed|failed/), 1],
      [expect.stringMatching(/passed|failed/), 1],
    ]);
    expect(run.counts.pending).toBe(0);
  });

  test('that fails makes an error of the evaluator, and a run that was interrupted sends nothing again', async () => {
    model.answers(refuses(401));
    const { id: datasetId } = await own.dataset([{ input: 'a' }]);
    const scenarioId = await own.scenario({ datasetId, evaluators: [judge] });
    const run = await own.completed(scenarioId);
    expect((await own.items(run.id))[0]).toMatchObject({
      status: 'error',
      errorKind: 'evaluator',
      output: 'a',
      error: expect.stringContaining(judge),
    });
    const shown = await own.request('GET', `/datasets/${datasetId}/runs/${run.datasetRunId}`);
    expect(shown.body.items).toMatchObject([{ output: 'a', error: null }]);
    // As if the process had died between the answer and the evaluation.
    const { db } = own.app.features.simulations.context;
    const { id } = await own.start(scenarioId);
    const answered = { answered: true, output: '"recorded before"', latency_ms: 5, trace_id: 't' };
    await db.updateTable('simulation_items').set(answered).where('batch_run_id', '=', id).execute();
    own.target.answers(echoes);
    model.answers(says({ score: 9, reasoning: 'Good' }));
    await own.runPending();
    expect(own.target.requests).toEqual([]);
    expect((await own.items(id))[0]).toMatchObject({
      status: 'passed',
      output: 'recorded before',
      latencyMs: 5,
      scores: [{ score: 9, passed: true }],
    });
  });
});
