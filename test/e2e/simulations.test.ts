import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFakeChatServer, says } from '../../src/features/model-connections/ask/fake-chat-server.fixture.ts';
import type { FakeChatServer } from '../../src/features/model-connections/ask/fake-chat-server.fixture.ts';
import { until } from '../support/until.ts';
import { settled } from './dashboard.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const field = (label: string) => page.getByLabel(label, { exact: true });
/** A choice in a dialog, by its label. */
const picker = (label: string) => page.getByRole('button', { name: new RegExp(`^${label} `) });
const choose = async (label: string, option: string | RegExp) => {
  await picker(label).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('list', { name: label }).getByRole('button', { name: option }).click();
  await dialog.waitFor({ state: 'detached' });
};
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const batchIds: string[] = [];
let chat: FakeChatServer;
let scenarioId: string;
let call: <T>(path: string, body?: object) => Promise<T>;
let root: string;

/** A scenario with two completed runs: in the second one, every output differs from the expected one. */
beforeAll(async () => {
  chat = await openFakeChatServer();
  const { cookie, projectId } = await dashboard.service.signIn();
  call = async <T>(path: string, body?: object): Promise<T> => {
    const answer = await fetch(dashboard.service.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  root = `/v1/projects/${projectId}`;
  await call(`${root}/model-connections`, { name: 'Simulated', baseUrl: chat.url, model: 'gpt-4o-mini', apiKey: 'sk-none' });
  await call(`/v1/prompts?projectId=${projectId}`, {
    name: 'simulated',
    type: 'text',
    prompt: 'Say {{input}}',
    labels: ['production'],
  });
  const dataset = await call<{ id: string }>(`/v1/datasets?projectId=${projectId}`, { name: 'simulated items' });
  await call(`/v1/datasets/${dataset.id}/items?projectId=${projectId}`, {
    items: Array.from({ length: 4 }, (_, index) => ({ input: `question ${index}`, expectedOutput: '{"answer":"yes"}' })),
  });
  ({ id: scenarioId } = await call<{ id: string }>(`${root}/simulations/scenarios`, {
    name: 'Says yes',
    datasetId: dataset.id,
    target: { type: 'prompt', promptName: 'simulated', connection: 'Simulated' },
    referenceMatch: { mode: 'exact' },
  }));
  for (const [label, answer] of [
    ['main', 'yes'],
    ['worse', 'no'],
  ] as const) {
    chat.answers(says({ answer }));
    const { batchRun } = await call<{ batchRun: { id: string } }>(`${root}/simulations/batch-runs`, { scenarioId, label });
    batchIds.push(batchRun.id);
    await until('the run has ended', async () => {
      const read = await call<{ batchRun: { status: string } }>(`${root}/simulations/batch-runs/${batchRun.id}`);
      return read.batchRun.status === 'completed';
    });
  }
});
afterAll(() => chat.close());

test('a page of datasets that cannot be loaded is asked for once, and the scenarios are listed', async () => {
  await openAs('owner', '/settings/organization');
  let refused = 0;
  await page.route(/\/v1\/datasets\?/, async (route) => {
    if (route.request().url().includes('cursor=')) {
      refused += 1;
      await route.fulfill({ status: 500, json: { error: 'Try again.', code: 'internal' } });
      return;
    }
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), nextCursor: 'further' } });
  });
  await page.goto(dashboard.address('/simulations'));
  await page.getByRole('table', { name: 'Scenarios' }).waitFor();
  await expect.poll(() => refused).toBeGreaterThan(0);
  await settled(page);
  expect(refused).toBe(1);
});

test('a run is opened from the list, and the gate refuses it with its regressions', async () => {
  await openAs('owner', '/simulations?tab=runs');
  await page.getByRole('link', { name: 'worse', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'worse' }).waitFor();
  await page.getByRole('img', { name: '4 of 4 items ended: 4 failed' }).waitFor();
  await field('Pass rate drop, at most (%)').fill('10');
  // The baseline is known once the completed runs are listed.
  await expect
    .poll(() => page.getByLabel('spanwise gate command', { exact: true }).innerText())
    .toBe(
      `spanwise gate ${batchIds[1]} --baseline ${batchIds[0]} --max-pass-rate-drop 0.1 --confidence 0.95 --on-inconclusive point`,
    );
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await verdict.getByText('The gate refuses this run.').waitFor();
  await verdict.getByRole('img', { name: '100%, interval 100% to 100%, limit 10%' }).waitFor();
  const regressions = verdict.getByRole('table', { name: 'Regressions' });
  await expect.poll(() => regressions.getByRole('link').count()).toBe(4);
  const aligned = await regressions.locator('td').evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textAlign));
  expect(new Set(aligned)).toEqual(new Set(['left']));
  await field('Status').selectOption('passed');
  await page.getByText('No item of this run matches the filter.').waitFor();
});

test('a scenario is written, and a body that is no JSON is told', async () => {
  await openAs('owner', '/simulations/new');
  await field('Name').fill('Written here');
  await page.getByRole('button', { name: 'Prompt', exact: true }).click();
  await field('Prompt').last().fill('simulated');
  await field('Connection').selectOption('Simulated');
  await choose('Dataset', /^simulated items/);
  await page.getByRole('button', { name: 'HTTP', exact: true }).click();
  await field('Body').fill('{');
  await page.getByRole('button', { name: 'Create scenario' }).click();
  await page.getByText('Invalid JSON').waitFor();
  await page.getByRole('button', { name: 'Prompt', exact: true }).click();
  await page.getByRole('button', { name: 'Create scenario' }).click();
  await page.getByRole('heading', { level: 1, name: 'Written here' }).waitFor();
  await page.getByRole('button', { name: 'Start batch run' }).click();
  await page.getByRole('dialog').getByLabel('Label', { exact: true }).fill('from the page');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'from the page' }).waitFor();
  await page.getByRole('img', { name: /^4 of 4 items ended/ }).waitFor();
});

test('items are compared with another run, filtered by change, and gone through by keys', async () => {
  await openAs('owner', `/simulations/runs/${batchIds[1]}`);
  await choose('Compared with', /^main/);
  const items = page.getByRole('group', { name: 'Items', exact: true });
  const regressed = page.getByRole('button', { name: 'Regressed 4' });
  await regressed.click();
  await expect.poll(() => regressed.getAttribute('aria-pressed')).toBe('true');
  expect(await page.getByRole('button', { name: 'Improved 0' }).isDisabled()).toBe(true);
  await page.getByText('4 items', { exact: true }).waitFor();
  await page.getByRole('heading', { level: 2, name: /^Latency/ }).waitFor();
  const links = items.getByRole('link', { name: /^Item / });
  const [first, second] = [await links.nth(0).getAttribute('aria-label'), await links.nth(1).getAttribute('aria-label')];
  await items.getByText('question 0', { exact: true }).waitFor();
  await links.nth(0).click();
  const panel = page.getByRole('region', { name: 'Item', exact: true });
  await expect.poll(() => panel.getByRole('group', { name: 'Baseline output' }).innerText()).toBe('{"answer":"yes"}');
  expect(await panel.getByRole('group', { name: 'Candidate output' }).locator('ins').innerText()).toBe('no');
  await panel.getByText('question 0').waitFor();
  await page.keyboard.press('j');
  await panel.getByText('question 1').waitFor();
  await expect.poll(() => items.locator('[aria-current]').getAttribute('aria-label')).toBe(second);
  await page.keyboard.press('k');
  await panel.getByText('question 0').waitFor();
  await expect.poll(() => items.locator('[aria-current]').getAttribute('aria-label')).toBe(first);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  expect(page.url()).toContain(`baseline=${batchIds[0]}&change=regressed`);
});

test('a run is compared with the previous one on its page, and from there by scores', async () => {
  await openAs('owner', `/simulations/runs/${batchIds[1]}`);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('button', { name: 'Regressed 4' }).waitFor();
  expect(page.url()).toContain(`baseline=${batchIds[0]}`);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('batch-items');
  await page.getByRole('link', { name: 'Compare scores' }).click();
  const items = page.getByRole('table', { name: 'Compared items' });
  await expect.poll(() => items.getByText('Differs, not scored').count()).toBe(4);
  await page.getByRole('button', { name: 'No score to compare 4' }).waitFor();
});

test('one item is tried with unsaved values, and nothing is stored', async () => {
  chat.answers(says({ answer: 'maybe' }, { usage: { prompt_tokens: 1_000, completion_tokens: 500 } }));
  const before = await call<{ batchRuns: object[] }>(`${root}/simulations/batch-runs`);
  await openAs('owner', `/simulations/scenarios/${scenarioId}`);
  await heading('Says yes').waitFor();
  await field('Model').fill('gpt-4o');
  await choose('Item', /^question 2/);
  await page.getByRole('button', { name: 'Try item' }).click();
  const result = page.getByRole('region', { name: 'Result', exact: true });
  await result.getByText('failed', { exact: true }).waitFor();
  await result.getByText('Say question 2').waitFor();
  await result.getByText('1,000 input tokens, 500 output tokens').waitFor();
  await result.getByText('differs').waitFor();
  expect(chat.requests.at(-1)?.body).toMatchObject({ model: 'gpt-4o', messages: [{ content: 'Say question 2' }] });
  await page.getByRole('button', { name: 'Typed', exact: true }).click();
  await page.getByRole('group', { name: 'Input' }).getByRole('textbox').fill('by hand');
  await page.getByRole('button', { name: 'Try item' }).click();
  await result.getByText('Say by hand').waitFor();
  await result.getByText('not compared').waitFor();
  expect((await call<{ batchRuns: object[] }>(`${root}/simulations/batch-runs`)).batchRuns).toEqual(before.batchRuns);
  expect(await call<object>(`${root}/simulations/scenarios/${scenarioId}`)).not.toHaveProperty('target.model');
});

test('a target that is not of the public internet is not tried, and the reason stands beside the button', async () => {
  await openAs('owner', '/simulations/new');
  await field('URL').fill('http://127.0.0.1/');
  await page.getByRole('button', { name: 'From the dataset', exact: true }).click();
  await page.getByRole('button', { name: 'Try item' }).click();
  await page.getByText('Choose a dataset first.').waitFor();
  await page.getByRole('button', { name: 'Typed', exact: true }).click();
  await page.getByRole('button', { name: 'Try item' }).click();
  await page.getByRole('alert').getByText('URL:').waitFor();
});

test('a run in progress is cancelled', async () => {
  // Never answers.
  chat.answers(() => undefined);
  await openAs('owner', `/simulations/scenarios/${scenarioId}`);
  await page.getByRole('button', { name: 'Start batch run' }).click();
  await page.getByRole('dialog').getByLabel('Label', { exact: true }).fill('cancelled');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await heading('cancelled').waitFor();
  await page.getByText('running', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('Batch run cancelled', { exact: true }).waitFor();
  await page.getByRole('img', { name: '4 of 4 items ended: 4 cancelled' }).waitFor();
  expect(await page.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0);
});

test('a scenario is edited and deleted; its runs stay, and are found by label and status', async () => {
  chat.answers(says({ answer: 'yes' }));
  const { datasetId, target } = await call<{ datasetId: string; target: object }>(`${root}/simulations/scenarios/${scenarioId}`);
  const made = await call<{ id: string }>(`${root}/simulations/scenarios`, { name: 'To be changed', datasetId, target });
  await call(`${root}/simulations/batch-runs`, { scenarioId: made.id, label: 'of a deleted one' });
  await openAs('owner', `/simulations/scenarios/${made.id}`);
  await heading('To be changed').waitFor();
  await field('Name').fill('Changed');
  await field('Reference match').selectOption('exact');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await heading('Changed').waitFor();
  expect(await call(`${root}/simulations/scenarios/${made.id}`)).toMatchObject({
    name: 'Changed',
    referenceMatch: { mode: 'exact' },
    target,
  });
  await page.getByRole('button', { name: 'Delete scenario' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Scenario deleted', { exact: true }).waitFor();
  await heading('Simulations').waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Changed', exact: true }).count()).toBe(0);
  await page.getByRole('tab', { name: 'Batch runs' }).click();
  await page.getByRole('link', { name: 'worse', exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search label or scenario' }).fill('DELETED');
  await page.getByRole('link', { name: 'worse', exact: true }).waitFor({ state: 'detached' });
  await field('Status').selectOption('completed');
  await page.getByRole('link', { name: 'of a deleted one', exact: true }).waitFor();
  await page.getByRole('searchbox').fill('');
  await choose('Scenario', 'Says yes');
  await page.getByRole('link', { name: 'worse', exact: true }).waitFor();
  await page.getByRole('link', { name: 'of a deleted one', exact: true }).waitFor({ state: 'detached' });
});

test('a viewer sees scenarios and runs, and changes none', async () => {
  await openAs('viewer', `/simulations/scenarios/${scenarioId}`);
  await page.getByRole('heading', { level: 1, name: 'Says yes' }).waitFor();
  expect(await field('Name').isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: /Save|Start batch run|Delete/ }).count()).toBe(0);
  await page.goto(dashboard.address(`/simulations/runs/${batchIds[1]}`));
  await page.getByLabel('spanwise gate command', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Check', exact: true }).count()).toBe(0);
});
