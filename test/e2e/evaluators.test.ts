import { expect, test } from 'vitest';
import { judgeSlug } from './special-evaluators.ts';
import { dashboard, intercept, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const create = () => page.getByRole('button', { name: 'Create evaluator' }).click();

test('the form keeps its draft while a connection is made, and selects it', async () => {
  await openAs('owner', '/evaluators/new');
  await page.getByLabel('Slug').fill('drafted');
  await page.getByLabel('Type').selectOption('llm_judge');
  await page.getByLabel('Instructions').fill('Is the answer right?');
  await page.getByRole('button', { name: 'New connection' }).click();
  const dialog = page.getByRole('dialog', { name: 'New model connection' });
  await dialog.getByLabel('Name').fill('Made on the way');
  await dialog.getByLabel('Model').fill('gpt-4o');
  await dialog.getByRole('button', { name: 'Create connection' }).click();
  await dialog.waitFor({ state: 'detached' });
  const connection = page.getByLabel('Model connection');
  await expect.poll(() => connection.locator('option:checked').innerText()).toMatch(/^Made on the way/);
  expect(await page.getByLabel('Slug').inputValue()).toBe('drafted');
  expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('gpt-4o');
  await create();
  await page.getByRole('heading', { level: 1, name: 'drafted' }).waitFor();
  await expect.poll(() => page.getByLabel('Instructions').inputValue()).toBe('Is the answer right?');
});

test('the first error takes the focus, and a field that was not chosen is required', async () => {
  await openAs('owner', '/evaluators/new');
  const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent ?? '');
  await page.getByLabel('Type').selectOption('llm_judge');
  await page.getByLabel('Sample rate').fill('2');
  await create();
  await expect.poll(focused).toBe('Slug');
  await page.getByLabel('Slug').fill('unchosen');
  await page.getByLabel('Sample rate').fill('1');
  await create();
  await expect.poll(focused).toBe('Model connection');
  const connection = page.getByLabel('Model connection');
  const describedBy = (await connection.getAttribute('aria-describedby')) ?? '';
  expect(await page.locator(`[id="${describedBy}"]`).innerText()).toBe('Required.');
  expect(await page.getByText('UUID').count()).toBe(0);
  const message = page.locator(`[id="${describedBy}"]`);
  await expect
    .poll(() =>
      message.evaluate((text) => {
        const { top, bottom } = text.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      }),
    )
    .toBe(true);
});

test('the list says which similarity an evaluator asks for', async () => {
  await openAs('owner', '/settings/organization');
  const made = await page.request.post(`/v1/projects/${dashboard.projectId}/evaluators`, {
    data: { slug: 'wording', type: 'fuzzy', config: { threshold: 0.8 } },
  });
  expect(made.status()).toBe(201);
  await page.goto(dashboard.address('/evaluators'));
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'wording' }) });
  await row.getByText('≥ 80% similar').waitFor();
});

test('a type of the service that the form has no fields for can be used', async () => {
  await openAs('owner', '/settings/organization');
  let offered: string[] = [];
  await page.route('**/v1/openapi.json', async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    const known = JSON.parse(text) as {
      components: { schemas: { EvaluatorBody: { properties: { config: Record<string, unknown[]>; type: { enum: string[] } } } } };
    };
    const { properties } = known.components.schemas.EvaluatorBody;
    const types = properties.config['x-evaluator-types'] as Array<{ type: string }>;
    offered = types.map(({ type }) => type);
    expect(offered).toEqual(properties.type.enum);
    types.push({
      type: 'starts_with',
      title: 'Starts with',
      description: 'Passes on a prefix.',
      example: { prefix: 'a' },
    } as never);
    await route.fulfill({ response: answer, json: known });
  });
  await page.goto(`${dashboard.root}/evaluators/new`);
  await page.getByLabel('Slug').fill('prefixed');
  await page.getByRole('option', { name: 'Starts with' }).waitFor({ state: 'attached' });
  await page.getByLabel('Type').selectOption('starts_with');
  await page.getByText('Passes on a prefix.').waitFor();
  expect(JSON.parse(await page.getByLabel('Configuration').inputValue())).toEqual({ prefix: 'a' });
  await page.getByLabel('Configuration').fill('{"prefix": "b"}');
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await create();
  expect((await sent).postDataJSON()).toMatchObject({ slug: 'prefixed', type: 'starts_with', config: { prefix: 'b' } });
  // This service does not have the type.
  await page
    .getByRole('alert')
    .getByText(/^Must be one of exact/)
    .waitFor();
  expect(offered).toContain('llm_judge');
});

test("an evaluator's page shows its first evaluations by itself", async () => {
  await openAs('owner', '/settings/organization', { alone: true });
  await page.clock.install();
  await page.route(/\/evaluations\?/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), evaluations: [] } });
  });
  await page.goto(`${dashboard.root}/evaluators/${judgeSlug}`);
  await page.getByText('No evaluations').waitFor();
  await page.unroute(/\/evaluations\?/);
  await page.clock.fastForward(5_000);
  await page.getByText('Pass rate').waitFor();
});

test.each([
  ['/evaluators/new', 'Slug', 'Create evaluator'],
  ['/new-prompt', 'Name', 'Create prompt'],
  ['/datasets', 'Name', 'Create dataset'],
])('a second submit on %s while the first is under way sends nothing', async (path, field, action) => {
  await openAs('owner', path);
  if (path === '/datasets') await page.getByRole('button', { name: 'New dataset' }).click();
  if (path === '/evaluators/new') await page.getByLabel('Type').selectOption('exact');
  await page.getByLabel(field, { exact: true }).fill('sent-once');
  const { promise, resolve } = Promise.withResolvers<void>();
  let sent = 0;
  await intercept('**/v1/**', async (route) => {
    if (route.request().method() === 'POST') {
      sent += 1;
      await promise;
    }
    await route.continue();
  });
  const posted = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: action }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.form?.requestSubmit();
    button.click();
  });
  await posted;
  await page.getByLabel(field, { exact: true }).press('Enter');
  resolve();
  await page
    .getByText(/created$/)
    .first()
    .waitFor();
  expect(sent).toBe(1);
});
