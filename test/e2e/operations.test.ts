import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const group = (name: string) => page.getByRole('list', { name, exact: true });

test('retirements are grouped by band; a replacement that is called is compared; a dismissal says what it means', async () => {
  await openAs('owner', '/model-lifecycle');
  await group('Retired').getByRole('link', { name: 'acme/llama-3.3-70b-support-ft' }).waitFor();
  await group('Within 7 days').getByRole('link', { name: 'gemini-2.5-flash' }).waitFor();
  const soon = group('Within 90 days').getByRole('listitem').filter({ hasText: 'gpt-4o-2024-08-06' });
  await expect.poll(() => soon.first().innerText()).toMatch(/\d+% cheaper, 0\.\d+ lower quality/);
  await page.getByRole('button', { name: 'Dismiss claude-sonnet-4-5-20250929' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.innerText()).toContain('Hidden until 7 days remain');
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await group('Dismissed').getByRole('link', { name: 'claude-sonnet-4-5-20250929' }).waitFor();

  // The model's own page and the list of models mark it.
  await group('Within 90 days').getByRole('link', { name: 'gpt-4o-2024-08-06' }).click();
  await page.getByText(/retires this model on .*in (69|70) days/).waitFor();
  await page.goto(dashboard.address('/models'));
  await page
    .getByRole('row')
    .filter({ hasText: 'gemini-2.5-flash' })
    .getByText(/retires in [45]d/)
    .waitFor();
});

test('a date of the project is set for a model, raises a finding in a scan, and is deleted', async () => {
  await openAs('owner', '/model-lifecycle?view=catalogue&q=gpt-4o-mini-2024-07-18');
  const row = page
    .getByRole('row')
    .filter({ hasText: 'own date' })
    .filter({ hasText: /in (399|400) days/ });
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Change own date' }).click();
  await page.getByLabel('Retires on').fill(new Date().toISOString().slice(0, 10));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Scan now' }).first().click();
  await page
    .getByText(/^Scanned\. 1 raised/)
    .first()
    .waitFor();
  await page.getByRole('tab', { name: 'Findings' }).click();
  const raised = group('Retired').getByRole('listitem').filter({ hasText: 'gpt-4o-mini-2024-07-18' });
  await raised.filter({ hasText: 'today' }).first().waitFor();

  await page.goto(dashboard.address('/model-lifecycle?view=catalogue&q=gpt-4o-mini-2024-07-18'));
  const today = page.getByRole('row').filter({ hasText: 'own date' }).filter({ hasText: 'today' });
  await today.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Delete own date' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await today.waitFor({ state: 'detached' });
});

test('a recorded change is listed, filtered, and marked on charts, whose marks work with the keyboard', async () => {
  await openAs('owner', '/changes');
  await page.getByRole('button', { name: 'Record change' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Service').fill('billing');
  await dialog.getByLabel('Version').fill('9.0.0');
  await dialog.getByLabel('Link').fill('billing');
  await dialog.getByRole('button', { name: 'Record change' }).click();
  await dialog.getByText('Must be a URL that starts with http').waitFor();
  await dialog.getByLabel('Link').fill('');
  const oneDayAgo = new Date(Date.now() - 86_400_000).toISOString().slice(0, 16);
  await dialog.getByLabel('Time', { exact: true }).fill(oneDayAgo);
  await dialog.getByRole('button', { name: 'Record change' }).click();
  await heading('Deploy billing 9.0.0').waitFor();
  await page.goto(dashboard.address('/changes'));
  await page.getByLabel('Service').selectOption('billing');
  await expect.poll(() => page.getByRole('link', { name: /^Deploy/ }).allInnerTexts()).toEqual(['Deploy billing 9.0.0']);

  await page.goto(dashboard.address('/models/gpt-4o-2024-08-06?range=30d'));
  const marks = page.getByRole('toolbar', { name: 'Changes' }).first();
  await marks.waitFor();
  await settled(page);
  const focused = (mark: Locator) => mark.evaluate((node) => node === document.activeElement);
  const [first, second] = [marks.getByRole('button').first(), marks.getByRole('button').nth(1)];
  await first.focus();
  // The focus moves after the key was handled, so the next key waits for it.
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => focused(second)).toBe(true);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => focused(first)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /^Deploy 2\.5\.0/ }).press('Enter');
  await heading('Deploy 2.5.0').waitFor();
  const rate = page.getByRole('region', { name: 'Error rate' });
  await rate.getByRole('img', { name: /^Difference\. .*95% interval/ }).waitFor();
});

test('the impact of a change is narrowed by hours, model and agent', async () => {
  await openAs('owner', '/changes/{change}');
  await heading('Deploy 2.5.0').waitFor();
  await settled(page);
  await page.getByLabel('Hours before and after').selectOption('72');
  const asked = page.waitForResponse(/\/impact\?hours=72&model=gpt-4o-2024-08-06&agent=billing-resolver$/);
  await page.getByLabel('Model', { exact: true }).selectOption('gpt-4o-2024-08-06');
  await page.getByLabel('Agent', { exact: true }).selectOption('billing-resolver');
  expect((await asked).status()).toBe(200);
  const search = Object.fromEntries(new URL(page.url()).searchParams);
  expect(search).toEqual({ hours: '72', model: 'gpt-4o-2024-08-06', agent: 'billing-resolver' });
});

test('a viewer reads findings and changes, and changes none', async () => {
  await openAs('viewer', '/model-lifecycle');
  await group('Within 7 days').waitFor();
  expect(await page.getByRole('button', { name: /^Dismiss|Scan now/ }).count()).toBe(0);
  await page.goto(dashboard.address('/model-lifecycle?view=catalogue&q=gpt-4o-mini'));
  await page.getByRole('table', { name: 'Catalogue' }).waitFor();
  expect(await page.getByRole('button', { name: /Set date|^Actions for/ }).count()).toBe(0);
  await page.goto(dashboard.address('/changes'));
  await page.getByRole('link', { name: 'Deploy 2.5.0' }).waitFor();
  expect(await page.getByRole('button', { name: 'Record change' }).count()).toBe(0);
});
