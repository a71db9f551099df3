// Measures the list of calls in Chromium, with rows that are made up (docs/performance.md, "The list of calls"):
//   npm run bench:explore
import type { CDPSession, Page } from 'playwright-core';
import buildDashboard from './build-dashboard.ts';
import { settled, startDashboard } from './dashboard.ts';
import { listedSpans, listOfSpans } from './listed-spans.ts';

const rows = 5_000;
const rounds = 7;
const scrollSteps = 300;
const stepPx = 400;

const sorted = (values: readonly number[]) => values.toSorted((left, right) => left - right);
const quantile = (values: readonly number[], share: number) => sorted(values)[Math.floor((values.length - 1) * share)] ?? 0;

/** Milliseconds from the end of the answer with 50 rows until the frame with them was painted. */
async function paintMs(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await page.getByRole('row').nth(20).waitFor();
  return page.evaluate(() => (globalThis as unknown as { listPainted: number }).listPainted);
}

/** Runs in the browser before the page: notes when rows are painted first, counted from the end of the answer. */
function watchRows(): void {
  const observer = new MutationObserver(() => {
    if (document.querySelectorAll('[aria-rowindex]').length < 10) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => {
        const answers = performance.getEntriesByType('resource').filter(({ name }) => /\/spans\?/.test(name));
        const end = Math.min(...answers.map((entry) => (entry as PerformanceResourceTiming).responseEnd));
        Object.assign(globalThis, { listPainted: performance.now() - end });
      });
      port1.start();
      // After the frame.
      port2.postMessage(null);
    });
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Seconds of the main thread so far: script, layout and styles. */
async function busySeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const names = ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'];
  return metrics.filter(({ name }) => names.includes(name)).reduce((sum, { value }) => sum + value, 0);
}

const frame = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

await buildDashboard();
const dashboard = await startDashboard({ large: true });
try {
  const page = await dashboard.open();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.addInitScript(watchRows);
  const address = dashboard.address('/explore?on=spans');
  let pageSize = 50;
  await page.route(listOfSpans, (route) => route.fulfill({ json: listedSpans(route.request().url(), rows, pageSize) }));
  const paints: number[] = [];
  for (let round = 0; round < rounds; round++) paints.push(await paintMs(page, address));
  pageSize = 500;
  await page.goto(address);
  const list = page.getByRole('group', { name: 'Calls', exact: true });
  await list.waitFor();
  while ((await page.getByRole('table', { name: 'Calls' }).getAttribute('aria-rowcount')) !== String(rows + 1)) {
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await frame(page);
  }
  await settled(page);
  await list.evaluate((element) => {
    element.scrollTop = 0;
    const tasks: number[] = [];
    Object.assign(globalThis, { longTasks: tasks });
    new PerformanceObserver((seen) => tasks.push(...seen.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const busy: number[] = [];
  for (let step = 0; step < scrollSteps; step++) {
    const before = await busySeconds(devtools);
    await list.evaluate((element, by) => {
      element.scrollTop += by;
    }, stepPx);
    await frame(page);
    busy.push(((await busySeconds(devtools)) - before) * 1000);
  }
  const longTasks = await page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks);
  const drawn = await list.getByRole('row').count();
  process.stdout.write(
    [
      `first 50 rows painted after their answer: median ${quantile(paints, 0.5).toFixed(0)} ms, worst ${quantile(paints, 1).toFixed(0)} ms of ${rounds}`,
      `a step of ${stepPx} pixels through ${rows} rows: script, styles and layout p50 ${quantile(busy, 0.5).toFixed(1)}, p95 ${quantile(busy, 0.95).toFixed(1)} ms of ${scrollSteps}`,
      `tasks over 50 ms while scrolling: ${longTasks.length}${longTasks.length > 0 ? ` (${longTasks.map((ms) => ms.toFixed(0)).join(', ')} ms)` : ''}`,
      `rows in the document: ${drawn}`,
      '',
    ].join('\n'),
  );
} finally {
  await dashboard.close();
}
