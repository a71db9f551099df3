// Measures the list of calls in Chromium, with rows that are made up (docs/performance.md, "The list of calls"):
//   npm run bench:explore
import type { Page } from 'playwright-core';
import buildDashboard from './build-dashboard.ts';
import { settled, startDashboard } from './dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import { listedSpans, listOfSpans } from './listed-spans.ts';
import { answerEnds, recordMainThread } from './main-thread.ts';

const rows = 5_000;
const rounds = 7;
const scrollSteps = 300;
const stepPx = 400;

const sorted = (values: readonly number[]) => values.toSorted((left, right) => left - right);
const quantile = (values: readonly number[], share: number) => sorted(values)[Math.floor((values.length - 1) * share)] ?? 0;

const painted = 'list painted';
const step = 'list scrolled';

/** From the end of the answer with 50 rows until the frame with them was painted. */
async function paint({ browser }: Dashboard, page: Page, address: string): Promise<{ cpuMs: number; wallMs: number }> {
  const thread = await recordMainThread(browser, page, painted, async () => {
    await page.goto(address);
    await page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, painted);
  });
  return thread.between(answerEnds(listOfSpans), ({ name }) => name === painted);
}

/** Runs in the browser before the page: marks when rows are painted first. */
function watchRows(mark: string): void {
  const observer = new MutationObserver(() => {
    if (document.querySelectorAll('[aria-rowindex]').length < 10) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => performance.mark(mark));
      port1.start();
      // After the frame.
      port2.postMessage(null);
    });
  });
  observer.observe(document, { childList: true, subtree: true });
}

const frame = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

await buildDashboard();
const dashboard = await startDashboard({ large: true });
try {
  const page = await dashboard.open();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.addInitScript(watchRows, painted);
  const address = dashboard.address('/explore?on=spans');
  let pageSize = 50;
  await page.route(listOfSpans, (route) => route.fulfill({ json: listedSpans(route.request().url(), rows, pageSize) }));
  const paints: Array<{ cpuMs: number; wallMs: number }> = [];
  for (let round = 0; round < rounds; round++) paints.push(await paint(dashboard, page, address));
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
  const scrolled = await recordMainThread(dashboard.browser, page, step, () =>
    list.evaluate(
      async (element, { mark, steps, px }) => {
        const passFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        element.scrollTop = 0;
        for (let frames = 0; frames < 10; frames++) await passFrame();
        for (let done = 0; done <= steps; done++) {
          performance.mark(mark);
          element.scrollTop += px;
          await passFrame();
          await passFrame();
        }
      },
      { mark: step, steps: scrollSteps, px: stepPx },
    ),
  );
  const busy = scrolled.steps(step);
  const longTasks = scrolled.tasks(step).filter((ms) => ms > 50);
  const drawn = await list.getByRole('row').count();
  const ofPaints = (name: 'cpuMs' | 'wallMs') => paints.map((one) => one[name]);
  const shares = (values: readonly number[]) =>
    `p50 ${quantile(values, 0.5).toFixed(1)}, p95 ${quantile(values, 0.95).toFixed(1)} ms`;
  const told = (values: readonly number[]) =>
    `median ${quantile(values, 0.5).toFixed(0)} ms, worst ${quantile(values, 1).toFixed(0)} ms`;
  process.stdout.write(
    [
      `first 50 rows painted after their answer, of ${rounds}: processor time of the main thread ${told(ofPaints('cpuMs'))}; time ${told(ofPaints('wallMs'))}`,
      `a step of ${stepPx} pixels through ${rows} rows, script, styles and layout: ${shares(busy.map((one) => one.scriptAndLayoutMs))} of ${busy.length}`,
      `the whole main thread in such a step, of two frames: ${shares(busy.map((one) => one.allMs))}`,
      `tasks with over 50 ms of processor time while scrolling: ${longTasks.length}${longTasks.length > 0 ? ` (${longTasks.map((ms) => ms.toFixed(0)).join(', ')} ms)` : ''}`,
      `rows in the document: ${drawn}`,
      '',
    ].join('\n'),
  );
} finally {
  await dashboard.close();
}
