import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settled, startDashboard } from './dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import { everyPage } from './every-page.ts';
import { opening } from './opening.ts';
import type { Opening } from './opening.ts';

let dashboard: Dashboard;
let page: Page;

beforeAll(async () => {
  dashboard = await startDashboard();
  page = await dashboard.open();
});
afterAll(() => dashboard.close());

describe('every page, opened inside the dashboard', () => {
  const seen = new Map<string, Opening>();
  /** Maximum number of requests until a page is complete, including prefetches. The default is 1. */
  const needed: Readonly<Record<string, number>> = {
    start: 2,
    model: 3,
    traces: 2,
    'traces-by-score': 2,
    'traces-by-prompt': 2,
    // The outline, a trace before and one after it in the list, the payloads of the trace; or of the span, and of spans that it refers to.
    trace: 4,
    'trace-failed': 4,
    'trace-hostile': 4,
    'trace-span': 5,
    'trace-tools': 5,
    'trace-tool': 5,
    'trace-attributes': 5,
    'prompt-hostile': 2,
    prompts: 2,
    'prompts-folder': 2,
    'prompts-none': 2,
    'prompt-metrics': 2,
    'prompt-no-calls': 2,
    'prompt-new-version': 2,
    dataset: 2,
    'dataset-item': 2,
    'dataset-empty': 2,
    'dataset-runs': 2,
    'dataset-runs-none': 3,
    'dataset-compare': 4,
    'dataset-compare-item': 5,
    'dataset-run': 3,
    'dataset-run-item': 3,
    'dataset-not-found': 2,
    evaluator: 5,
    evaluations: 2,
    'evaluations-failed': 2,
    'evaluations-run-items': 2,
    'trace-mapping': 6,
    policies: 2,
    // The policies, the revisions, and the files of two of them.
    'policies-revision': 4,
    annotation: 5,
    'annotation-number': 5,
    'annotation-none': 2,
  };

  test.each(everyPage)('%s needs few requests, and its placeholders do not flicker', async (name, path) => {
    const opened = await opening(page, dashboard.root, dashboard.address(path));
    seen.set(name, opened);
    const asked = new Set(opened.requests.filter(({ start }) => start <= opened.complete).map((request) => request.path));
    expect(asked.size, [...asked].join(' ')).toBeLessThanOrEqual(needed[name] ?? 1);
    expect(opened.standIns).not.toContain('at once');
  });

  test('some pages show placeholders', () => {
    expect([...seen.values()].flatMap(({ standIns }) => standIns)).toContain('late');
  });

  // Printed only: times depend on the machine.
  afterAll(() => {
    const rows = [...seen].map(([name, { loadingSeen, complete, requests }]) =>
      [
        name.padEnd(22),
        ...[loadingSeen, complete].map((ms) => ms.toFixed(0).padStart(5)),
        ` ${requests.map(({ start, duration }) => `${start.toFixed(0)}+${duration.toFixed(0)}`).join(' ')}`,
      ].join(' '),
    );
    process.stdout.write(`milliseconds: loading visible, complete, requests (start+duration)\n${rows.join('\n')}\n`);
  });
});

describe('a change of the time range', () => {
  test.each([
    ['', 'overview', 'table', 'Models'],
    ['/models', 'models', 'table', 'Models'],
    ['/models/gpt-4o-2024-08-06', 'models/gpt-4o-2024-08-06', 'table', 'Compared with other models'],
  ] as const)('keeps the previous data visible while loading: %s', async (path, asked, role, name) => {
    await page.goto(dashboard.address(path));
    const shown = page.getByRole(role, { name, exact: true });
    await shown.waitFor();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const address = `**/v1/projects/*/${asked}?range=7d`;
    await page.route(address, async (route) => {
      await held;
      await route.continue();
    });
    const sent = page.waitForRequest(address);
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByRole('menuitem', { name: 'Last 7 days' }).click();
    await sent;
    expect(await shown.isVisible()).toBe(true);
    expect(await page.getByLabel('Loading').count()).toBe(0);
    await page.locator('.opacity-60').waitFor();
    answer();
    await page.locator('.opacity-60').waitFor({ state: 'detached' });
    expect(await shown.isVisible()).toBe(true);
    await page.unroute(address);
  });
});

test('pointing at a link of the sidebar prefetches the page', async () => {
  await page.goto(dashboard.address('/settings/organization'));
  await settled(page);
  const asked = page.waitForRequest('**/v1/projects/*/overview?range=30d');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).hover();
  await asked;
  expect(new URL(page.url()).pathname).toMatch(/\/settings\/organization$/);
});
