import { gzipSync } from 'node:zlib';
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
  await page.addInitScript(collectLongTasks);
  await page.goto(dashboard.root);
});
afterAll(() => dashboard.close());

interface LongTasks {
  longTasks: number[];
  longTaskObserver: PerformanceObserver;
}

/** Runs in the browser: collects the durations of long tasks (over 50 ms) of each document. */
function collectLongTasks(): void {
  const longTasks: number[] = [];
  const longTaskObserver = new PerformanceObserver((list) =>
    longTasks.push(...list.getEntries().map(({ duration }) => duration)),
  );
  longTaskObserver.observe({ type: 'longtask' });
  Object.assign(globalThis, { longTasks, longTaskObserver } satisfies LongTasks);
}

/** Runs in the browser: the long tasks since the last call. */
function takeLongTasks(): number[] {
  const { longTasks, longTaskObserver } = globalThis as unknown as LongTasks;
  longTasks.push(...longTaskObserver.takeRecords().map(({ duration }) => duration));
  return longTasks.splice(0);
}

/** Prints the long tasks of the page during some work. Does not fail: times depend on the machine. */
async function longTasks(what: string, work: () => Promise<void>): Promise<void> {
  await page.evaluate(takeLongTasks);
  const started = performance.now();
  await work();
  const ms = Math.round(performance.now() - started);
  await settled(page);
  const tasks = await page.evaluate(takeLongTasks);
  const longest = Math.round(Math.max(0, ...tasks));
  process.stdout.write(`${what}: longest task ${longest} ms, ${tasks.length} over 50 ms, ${ms} ms in all\n`);
}

const nextFrame = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));

test('a trace of 5,000 spans opens, scrolls and filters, with few rows in the page', async () => {
  const started = performance.now();
  await page.goto(`${dashboard.root}/traces/${largeTraceId}`);
  const grid = page.getByRole('treegrid', { name: 'Spans' });
  await grid.getByRole('row').first().waitFor();
  process.stdout.write(`5,000 spans, opening: ${Math.round(performance.now() - started)} ms until the first row\n`);
  await settled(page);
  expect(await grid.getAttribute('aria-rowcount')).toBe('5000');
  expect(await grid.getByRole('row').count()).toBeLessThan(120);

  await longTasks('5,000 spans, scrolling', async () => {
    await grid.hover();
    for (let step = 0; step < 60; step++) {
      await page.mouse.wheel(0, 1500);
      await nextFrame();
    }
  });
  expect(await grid.evaluate((element) => element.scrollTop)).toBeGreaterThan(10_000);
  expect(await grid.getByRole('row').count()).toBeLessThan(120);

  await longTasks('5,000 spans, filtering', async () => {
    await page.getByLabel('Filter spans').pressSequentially('llm step 49', { delay: 40 });
    await page.getByText(/^\d+ of 5,000$/).waitFor();
  });
  await page.getByLabel('Filter spans').fill('');
  await longTasks('5,000 spans, selecting with the keyboard', async () => {
    await grid.focus();
    await page.keyboard.press('End');
    for (let step = 0; step < 20; step++) await page.keyboard.press('ArrowUp');
    await page.getByRole('region', { name: 'Span', exact: true }).waitFor();
  });
  await longTasks('5,000 spans, collapsing all', async () => {
    await page.getByRole('button', { name: 'Collapse all' }).click();
    await expect.poll(() => grid.getByRole('row').count()).toBe(1);
  });
});

const messageCount = 20_000;

/** Sends a trace whose span has an input of 20,000 messages and an output of one message of 4 MB. */
async function sendLongConversation(traceId: string): Promise<void> {
  const now = new Date().toISOString();
  const input = Array.from({ length: messageCount }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${index}: ${'the weather in Utrecht '.repeat(6)}`,
  }));
  const output = [{ role: 'assistant', content: `Beginning of the answer. ${'lorem ipsum '.repeat(340_000)}` }];
  const span = { type: 'span', traceId, spanId: 's', name: 'chat', kind: 'llm', model: 'm', startTime: now, endTime: now };
  const answer = await fetch(`${dashboard.service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': dashboard.service.apiKey, 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify({ ...span, input, output })),
  });
  expect(await answer.json()).toMatchObject({ accepted: 1 });
  const reads = () => page.request.get(`/v1/projects/${dashboard.projectId}/traces/${traceId}`);
  await expect.poll(async () => (await reads()).status()).toBe(200);
}

test('a conversation of 20,000 messages and a message of 4 MB are shown in steps', async () => {
  await sendLongConversation('long-conversation');
  await longTasks('20,000 messages, opening the span', async () => {
    await page.goto(`${dashboard.root}/traces/long-conversation?span=s`);
    await settled(page);
  });
  const input = page.getByRole('region', { name: 'Input', exact: true });
  await input.getByText('Large payload (').waitFor();
  await longTasks('20,000 messages, showing the input', async () => {
    await input.getByRole('button', { name: 'Show', exact: true }).click();
    await input.getByText(`Message ${messageCount - 1}:`).waitFor();
  });
  await longTasks('20,000 messages, opening the earlier ones', async () => {
    await input.getByRole('button', { name: '19,998 earlier messages' }).click();
    await input.getByText('Message 0:').waitFor();
  });
  const messages = input.getByRole('listitem');
  await expect.poll(() => messages.count()).toBe(102);
  // Messages outside the viewport are not laid out, so that innerText would be empty.
  expect(await messages.last().textContent()).toContain(`Message ${messageCount - 1}:`);
  await longTasks('20,000 messages, showing 100 more', async () => {
    // By keyboard: messages around the button are laid out while it is scrolled into view, and move it.
    await input.getByRole('button', { name: 'Show 100 more messages (19,898 remaining)' }).press('Enter');
    await expect.poll(() => messages.count()).toBe(202);
  });
  await longTasks('20,000 messages, as JSON', async () => {
    await input.getByRole('button', { name: 'JSON' }).click();
    await input.getByRole('textbox', { name: 'Input' }).waitFor();
  });
  const output = page.getByRole('region', { name: 'Output', exact: true });
  await longTasks('a message of 4 MB, showing the output', async () => {
    await output.getByRole('button', { name: 'Show', exact: true }).click();
    await output.getByText('Beginning of the answer.').waitFor();
  });
  const text = () => output.getByRole('listitem').innerText();
  expect((await text()).length).toBeLessThan(3_000);
  await longTasks('a message of 4 MB, showing the whole text', async () => {
    await output.getByRole('button', { name: /^Show remaining 4/ }).click();
    await output.getByRole('group', { name: 'Whole text' }).waitFor();
  });
  const whole = output.getByRole('group', { name: 'Whole text' });
  await expect.poll(() => whole.evaluate((element) => element.scrollHeight)).toBeGreaterThan(500_000);
  expect((await text()).length).toBeLessThan(100_000);
});
