import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { cardsSlug } from './special-guardrails.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const field = (label: string) => page.getByLabel(label, { exact: true });
const outcome = () => page.getByRole('status').filter({ hasText: 'The text' });

test('a guardrail is written, tested in the browser and created', async () => {
  await openAs('owner', '/new-guardrail');
  await field('Type').selectOption('regex');
  await field('Action').selectOption('redact');
  await field('Pattern').fill('(unclosed');
  // The engine's message stands at the field before anything was sent.
  await page.getByText('Cannot be used: missing closing )').waitFor();
  await field('Pattern').fill(String.raw`\bcase \d+`);
  await field('Label').fill('case');
  await field('Text to test').fill('See case 12 and case 7 😀.');
  await expect
    .poll(() => page.getByLabel('Matches in the text').locator('mark').allInnerTexts())
    .toEqual(['case 12case', 'case 7case']);
  await expect.poll(() => page.locator('[data-result]').innerText()).toBe('See [CASE] and [CASE] 😀.');
  await field('Action').selectOption('block');
  await expect.poll(() => outcome().innerText()).toContain('must not be passed on');

  // A slug that is taken: the message stands at the field, and nothing is lost.
  await field('Slug').fill(cardsSlug);
  await page.getByRole('button', { name: 'Create guardrail' }).click();
  await page.getByText('Already taken. Choose another.').waitFor();
  expect(await field('Pattern').inputValue()).toBe(String.raw`\bcase \d+`);
  expect(await field('Text to test').inputValue()).toBe('See case 12 and case 7 😀.');
  await field('Slug').fill('case-numbers');
  await page.getByRole('button', { name: 'Create guardrail' }).click();
  await page.getByRole('heading', { level: 1, name: 'case-numbers' }).waitFor();

  // The service finds what the browser found; the trace shows it.
  const now = new Date().toISOString();
  const span = { type: 'span', traceId: 'checked-trace', spanId: 'root', name: 'answer a customer', kind: 'agent' };
  await dashboard.send([{ ...span, startTime: now, endTime: now, status: 'ok' }]);
  const checked = await fetch(`${dashboard.service.url}/v1/guardrails/check`, {
    method: 'POST',
    headers: { 'x-api-key': dashboard.service.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'See case 12.', traceId: 'checked-trace', parentSpanId: 'root' }),
  });
  expect(await checked.json()).toMatchObject({ action: 'block' });
  const caught = page.getByRole('link', { name: 'answer a customer' });
  const stored = async () => {
    const answer = await page.request.get(`/v1/projects/${dashboard.projectId}/traces/checked-trace`);
    return ((await answer.json()) as { spans?: unknown[] }).spans?.length;
  };
  // The span and the check's.
  await expect.poll(stored).toBe(2);
  await page.reload();
  await caught.click();
  await page.getByText('guardrail check', { exact: true }).click();
  const check = page.getByRole('region', { name: 'Guardrail check' });
  await check.getByText('at 4–11').waitFor();
  await check.getByRole('link', { name: 'case-numbers' }).click();
  await page.getByRole('heading', { level: 1, name: 'case-numbers' }).waitFor();
});

test('a guardrail that code manages is read-only until it is detached', async () => {
  await openAs('owner', '/guardrails/policy-cards?part=configuration');
  await page.getByText('managed by code', { exact: true }).waitFor();
  expect(await field('Name').isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Delete guardrail' }).count()).toBe(0);
  await field('Text to test').fill('Card 4111 1111 1111 1111.');
  await expect.poll(() => page.locator('[data-result]').innerText()).toBe('Card [PAYMENT_CARD].');
  await page.getByRole('button', { name: 'Detach' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Detach' }).click();
  await expect.poll(() => field('Name').isEnabled()).toBe(true);
  expect(await field('Text to test').inputValue()).toBe('Card 4111 1111 1111 1111.');
});

test('names on spans are registered in one click, and what uses an environment keeps it', async () => {
  await openAs('owner', '/environments');
  await page.getByRole('button', { name: 'Register staging' }).click();
  await page.getByRole('button', { name: 'Actions for staging' }).waitFor();
  await page.getByRole('button', { name: 'Actions for production' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('heading', { name: 'Environment in use' }).waitFor();
  await dialog.getByRole('link', { name: cardsSlug }).click();
  await page.getByRole('heading', { level: 1, name: 'No card numbers' }).waitFor();
});

test('a viewer reads guardrails and environments, and changes none', async () => {
  await openAs('viewer', `/guardrails/${cardsSlug}?part=configuration`);
  await page.getByRole('heading', { level: 1, name: 'No card numbers' }).waitFor();
  await settled(page);
  expect(await field('Name').isDisabled()).toBe(true);
  expect(await page.getByRole('switch', { name: /enabled/i }).count()).toBe(0);
  await page.goto(dashboard.address('/environments'));
  await page.getByText('What customers use').waitFor();
  expect(await page.getByRole('button', { name: /Register|New environment|Actions for/ }).count()).toBe(0);
});
