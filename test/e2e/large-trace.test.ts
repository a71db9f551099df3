import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settled, startDashboard } from './dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import { largeTraceId } from './special-traces.ts';

let dashboard: Dashboard;
let page: Page;

beforeAll(async () => {
  dashboard = await startDashboard({ large: true });
  page = await dashboard.open();
});
afterAll(() => dashboard.close());

/** The long tasks (over 50 ms) that the browser saw while something was done, milliseconds. Printed: machines differ, so time alone fails nothing. */
async function longTasks(what: string, work: () => Promise<void>): Promise<void> {
  await page.evaluate(() => {
    const seen: number[] = [];
    new PerformanceObserver((list) => seen.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
    Object.assign(globalThis, { longTasksSeen: seen });
  });
  const started = performance.now();
  await work();
  await page.waitForTimeout(300);
  const tasks = await page.evaluate(() => (globalThis as unknown as { longTasksSeen: number[] }).longTasksSeen);
  const worst = Math.round(Math.max(0, ...tasks));
  const verdict = worst > 100 ? 'over 100 ms' : 'within 100 ms';
  process.stdout.write(
    `5,000 spans, ${what}: longest task ${worst} ms (${verdict}), ${tasks.length} over 50 ms, ${Math.round(performance.now() - started)} ms in all\n`,
  );
}

test('a trace of 5,000 spans opens, scrolls and filters, with few rows in the page', async () => {
  const started = performance.now();
  await page.goto(`${dashboard.root}/traces/${largeTraceId}`);
  const grid = page.getByRole('treegrid', { name: 'Spans' });
  await grid.getByRole('row').first().waitFor();
  process.stdout.write(`5,000 spans, opening: ${Math.round(performance.now() - started)} ms until the first row\n`);
  await settled(page);
  expect(await grid.getAttribute('aria-rowcount')).toBe('5000');
  expect(await grid.getByRole('row').count()).toBeLessThan(120);

  await longTasks('scrolling', async () => {
    await grid.hover();
    for (let step = 0; step < 60; step++) {
      await page.mouse.wheel(0, 1500);
      await page.waitForTimeout(16);
    }
  });
  expect(await grid.evaluate((element) => element.scrollTop)).toBeGreaterThan(10_000);
  expect(await grid.getByRole('row').count()).toBeLessThan(120);

  await longTasks('filtering', async () => {
    await page.getByLabel('Filter spans').pressSequentially('llm step 49', { delay: 40 });
    await page.getByText(/^\d+ of 5000$/).waitFor();
  });
  await page.getByLabel('Filter spans').fill('');
  await longTasks('choosing spans with the keyboard', async () => {
    await grid.focus();
    await page.keyboard.press('End');
    for (let step = 0; step < 20; step++) await page.keyboard.press('ArrowUp');
    await page.getByRole('region', { name: 'Span', exact: true }).waitFor();
  });
  await longTasks('folding all', async () => {
    await page.getByRole('button', { name: 'Fold all' }).click();
    await expect.poll(() => grid.getByRole('row').count()).toBe(1);
  });
});
