import { expect, test } from 'vitest';
import { toolTraceId } from './special-traces.ts';
import { openAs, page, visitDashboard } from './visit.ts';

// The page of outcomes, outcomes of a trace, and the cost per success of models.

visitDashboard({ shares: true });

const card = (title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: new RegExp(`^${title}`) }) });

test('the page lists kinds, with what they cost per success by model and agent', async () => {
  await openAs('viewer', '/outcomes');
  const kinds = page.getByRole('table', { name: 'By kind' });
  await kinds.waitFor();
  const row = kinds.getByRole('row').filter({ hasText: 'ticket.resolved' });
  expect(await row.innerText()).toMatch(
    /ticket\.resolved\s+\d+\s+\d+%\s+of \d+ that say so\s+\$[\d.]+\s+–\s+\d+\s+\$[\d.]+\s+\$[\d.]+/,
  );
  await page.getByRole('table', { name: 'By model' }).getByRole('link', { name: 'gpt-4o-2024-08-06' }).first().waitFor();
  await page.getByRole('table', { name: 'By agent' }).getByRole('link', { name: 'support-triage' }).first().waitFor();
  await card('Daily value \\(EUR\\)').getByRole('button', { name: 'Show as table' }).click();
  expect(await page.getByRole('table', { name: 'Daily value (EUR)' }).innerText()).toMatch(/€[1-9]/);
});

test('a kind is chosen in the list and in the table, and is part of the address', async () => {
  await openAs('viewer', '/outcomes?range=90d');
  const asked = page.waitForRequest(/\/outcomes\/summary\?range=90d&kind=plan\.upgraded$/);
  await page.getByLabel('Kind', { exact: true }).selectOption('plan.upgraded');
  await asked;
  await page.waitForURL((url) => url.searchParams.get('kind') === 'plan.upgraded');
  const rows = page.getByRole('table', { name: 'By kind' }).getByRole('link');
  await expect.poll(() => rows.allTextContents()).toEqual(['plan.upgraded', 'plan.upgraded']);
  await page.getByLabel('Kind', { exact: true }).selectOption('');
  await page.getByRole('table', { name: 'By kind' }).getByRole('link', { name: 'report.accepted' }).click();
  await expect.poll(() => rows.allTextContents()).toEqual(['report.accepted']);
  expect(new URL(page.url()).searchParams.get('range')).toBe('90d');
});

test('a trace lists its outcomes', async () => {
  await openAs('viewer', `/traces/${toolTraceId}?view=trace`);
  const list = page.getByRole('list', { name: 'Outcomes' });
  await list.waitFor();
  const entries = await list.getByRole('listitem').allInnerTexts();
  expect(entries.map((text) => text.split('\n').slice(0, 3).join(' ')).toSorted()).toEqual([
    expect.stringContaining('refund failure −¥20'),
    expect.stringContaining('trip.booked success €412.50'),
    expect.stringContaining('trip.tip $4'),
  ] as string[]);
});

test('the chart of cost and quality shows the cost per success of a kind', async () => {
  await openAs('viewer', '/models/gpt-4o-2024-08-06');
  const chart = card('Cost and quality');
  await chart.getByRole('button', { name: 'Show as table' }).click();
  const columns = chart.getByRole('columnheader');
  await expect.poll(() => columns.allTextContents()).toContain('Cost per call');
  await chart.getByLabel('Cost', { exact: true }).selectOption({ label: 'Cost per success: report.accepted' });
  await expect.poll(() => columns.allTextContents()).toContain('Cost per success: report.accepted');
  expect(await chart.getByText('Cost of whole traces').isVisible()).toBe(true);
  expect(new URL(page.url()).searchParams.get('cost')).toBe('report.accepted:USD');
  await page.reload();
  await chart.getByText('Cost of whole traces').waitFor();
  await chart.getByLabel('Cost', { exact: true }).selectOption({ label: 'Cost per call' });
  await page.waitForURL((url) => !url.searchParams.has('cost'));
});
