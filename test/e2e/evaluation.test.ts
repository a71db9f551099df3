import { describe, expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { judgeSlug } from './special-evaluators.ts';
import { toolTraceId } from './special-traces.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const parameter = (name: string) => new URL(page.url()).searchParams.get(name);

test('an evaluator is created with errors at its fields, disabled and deleted', async () => {
  await openAs('owner', '/evaluators');
  await page.getByRole('link', { name: 'New evaluator' }).click();
  await page.getByLabel('Type').selectOption('regex');
  await page.getByLabel('Slug').fill('no spaces here');
  await page.getByLabel('Pattern').fill('a(?=b)');
  await page.getByLabel('Sample rate').fill('7');
  await page.getByRole('button', { name: 'Create evaluator' }).click();
  await page.getByText('Enter an ID, such as answer-relevance').waitFor();
  await page.getByText('Must be at most 1').waitFor();
  await page.getByLabel('Slug').fill(judgeSlug);
  await page.getByLabel('Sample rate').fill('0.5');
  await page.getByRole('button', { name: 'Create evaluator' }).click();
  await page
    .getByText(/no look-around/)
    .last()
    .waitFor();
  await expect.poll(() => page.getByLabel('Pattern').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Pattern').fill('^[A-Z]');
  await page.getByRole('button', { name: 'llm', exact: true }).click();
  await page.getByLabel('Environments').fill('staging');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create evaluator' }).click();
  await page.getByText('This project has an evaluator with this slug').waitFor();
  await page.getByLabel('Slug').fill('starts-large');
  await page.getByRole('button', { name: 'Create evaluator' }).click();
  await page.getByRole('heading', { level: 1, name: 'starts-large' }).waitFor();
  await page.getByText('No evaluations').waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Evaluators' }).click();
  const row = page.getByRole('row').filter({ hasText: 'starts-large' });
  await row.getByText('kinds: llm · environments: staging').waitFor();
  await row.getByRole('switch').click();
  await page.getByText('starts-large disabled').first().waitFor();
  await expect.poll(() => row.getByRole('switch').getAttribute('aria-checked')).toBe('false');
  await row.getByRole('link').click();
  await page.getByRole('button', { name: 'Delete evaluator' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Evaluator deleted').first().waitFor();
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'starts-large' }).count()).toBe(0);
});

test('a failed evaluation shows its error; an evaluation links to its trace', async () => {
  await openAs('owner', '/evaluations');
  await page.getByLabel('Status').selectOption('failed');
  await expect.poll(() => parameter('status')).toBe('failed');
  await settled(page);
  await page.getByRole('row').filter({ hasText: 'The model connection Judges' }).getByRole('link', { name: judgeSlug }).click();
  const detail = page.getByRole('region', { name: 'Evaluation', exact: true });
  await detail.getByText(/^The model connection Judges/).waitFor();
  expect(parameter('status')).toBe('failed');
  await page.getByLabel('Status').selectOption('completed');
  await page.getByLabel('Evaluator', { exact: true }).selectOption(judgeSlug);
  await page.getByLabel('Target').selectOption('trace');
  await expect.poll(() => parameter('target')).toBe('trace');
  // Until then the rows are those of the previous filters.
  await settled(page);
  await page.getByText('448', { exact: true }).first().waitFor();
  await page.getByRole('row').nth(1).getByRole('link').last().click();
  await page.getByRole('region', { name: 'Scores' }).getByText(judgeSlug).waitFor();
});

test('concurrent changes of different fields are both kept', async () => {
  await openAs('owner', '/evaluators');
  const made = await page.request.post(`/v1/projects/${dashboard.projectId}/evaluators`, {
    data: { slug: 'shared', name: 'Shared', type: 'contains', config: { value: 'a' }, target: 'trace' },
  });
  expect(made.status()).toBe(201);
  await page.goto(`${dashboard.root}/evaluators/shared`);
  const other = await page.context().newPage();
  await other.goto(`${dashboard.root}/evaluators/shared`);
  await other.getByLabel('Sample rate').waitFor();
  await page.getByLabel('Name').fill('Renamed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Applies').first().waitFor();
  await other.getByLabel('Sample rate').fill('0.25');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByText('Saved. Applies').first().waitFor();
  await other.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
  await expect.poll(() => other.getByLabel('Name').inputValue()).toBe('Renamed');
  const read = await page.request.get(`/v1/projects/${dashboard.projectId}/evaluators/shared`);
  expect(await read.json()).toMatchObject({ name: 'Renamed', sampleRate: 0.25 });
  // After saving, leaving does not ask.
  await other.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Evaluators' }).click();
  await other.getByRole('heading', { level: 1, name: 'Evaluators' }).waitFor();
});

test('leaving an unsaved evaluator asks for confirmation', async () => {
  await openAs('owner', '/evaluators/new');
  await page.getByLabel('Slug').fill('half-written');
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Evaluators' });
  await link.click();
  const guard = page.getByRole('dialog', { name: 'Leave without saving?' });
  await guard.getByRole('button', { name: 'Cancel' }).click();
  await guard.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Slug').inputValue()).toBe('half-written');
  await link.click();
  await guard.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { level: 1, name: 'Evaluators' }).waitFor();
});

test('a span is scored with a number, and scoring again updates the score', async () => {
  await openAs('owner', `/traces/${toolTraceId}?span=plan`);
  for (const score of ['2.5', '4']) {
    await page.getByRole('button', { name: 'Score span' }).click();
    const form = page.getByRole('region', { name: 'Score span' });
    await form.getByLabel('Evaluator').fill(judgeSlug);
    await form.getByRole('button', { name: 'Number' }).click();
    await form.getByText('Scale 1–5, passes at ≥ 4').waitFor();
    await form.getByLabel('Score', { exact: true }).fill(score);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Scores' }).getByText(score, { exact: true }).waitFor();
  }
  const scores = page.getByRole('region', { name: 'Scores' });
  // The service returns the new value after up to two seconds.
  await expect
    .poll(
      async () => {
        await page.reload();
        await settled(page);
        return scores.getByText('4', { exact: true }).count();
      },
      { interval: 1_000 },
    )
    .toBe(1);
  await expect.poll(() => scores.getByText('passed').count()).toBe(1);
  expect(await scores.getByRole('listitem').count()).toBe(1);
});

test('a model connection is created, changed and deleted, and its key is never shown', async () => {
  await openAs('owner', '/settings/connections');
  await page.getByRole('button', { name: 'New connection' }).click();
  await page.getByLabel('Name').fill('Second');
  await page.getByLabel('Base URL').fill('ftp://models');
  await page.getByLabel('Model', { exact: true }).fill('gpt-4o');
  await page.getByLabel('API key', { exact: true }).fill('sk-secret');
  await page.getByRole('button', { name: 'Create connection' }).click();
  await page.getByText(/Must be a URL that starts with http/).waitFor();
  await page.getByLabel('Base URL').fill('https://models.example.com/v1');
  await page.getByRole('button', { name: 'Create connection' }).click();
  await page.getByRole('button', { name: 'Edit Second' }).click();
  await page.getByLabel('Base URL').fill('https://elsewhere.example.com/v1');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/is required when baseUrl changes/).waitFor();
  await page.getByLabel('API key', { exact: true }).selectOption('replace');
  await page.getByLabel('New API key').fill('sk-other');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('https://elsewhere.example.com/v1').waitFor();
  expect(await page.content()).not.toMatch(/sk-(secret|other)/);
  await page.getByRole('button', { name: 'Delete Judges' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const inUse = page.getByRole('dialog', { name: 'Connection in use' });
  await inUse.getByRole('link', { name: 'Evaluator answer-quality' }).waitFor();
  await inUse.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete Second' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Connection deleted').first().waitFor();
});

test('the audit log is filtered, opened and verified', async () => {
  await openAs('owner', '/settings/audit');
  await page.getByLabel('Kind').selectOption('invitation.created');
  await page.getByLabel('Actor').fill('owner@example.com');
  await page.keyboard.press('Enter');
  const entries = page.getByRole('list', { name: 'Audit log entries' });
  await expect.poll(() => [parameter('kind'), parameter('actor')]).toEqual(['invitation.created', 'owner@example.com']);
  await settled(page);
  await expect.poll(() => entries.getByRole('listitem').count()).toBe(1);
  await entries.getByRole('button').click();
  await page.getByText('Previous hash').waitFor();
  await page.reload();
  await page.getByText('Previous hash').waitFor();
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText(/^Valid: \d+ entries/).waitFor();
});

describe('a viewer', () => {
  test('sees no write action', async () => {
    const writes = /delete|remove|create|save|score |^pass|^fail|new |edit/i;
    for (const path of ['/evaluators', `/evaluators/${judgeSlug}`, '/annotation', '/settings/connections']) {
      await openAs('viewer', path);
      await settled(page);
      const enabled = page.locator('button:not([disabled], fieldset[disabled] *)');
      const names = await enabled.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent ?? ''));
      expect(
        names.filter((name) => writes.test(name)),
        path,
      ).toEqual([]);
      expect(await page.getByRole('link', { name: /new evaluator|annotate/i }).count(), path).toBe(0);
      expect(await page.locator('[role=switch]:enabled').count(), path).toBe(0);
    }
  });

  test.each([
    ['/settings/audit', 'audit:read'],
    ['/evaluators/new', 'evaluations:manage'],
    ['/annotation', "Your role (viewer) can't score. Ask an admin."],
  ])('is told on %s: %s', async (path, told) => {
    await openAs('viewer', path);
    await page.getByText(told).waitFor();
  });
});
