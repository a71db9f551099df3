import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noProblems, problemsInBoth } from './axe.ts';
import { complaintsOf, desktop, settled, startDashboard } from './dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import { everyPage } from './every-page.ts';
import { opening } from './opening.ts';
import type { Opening } from './opening.ts';
import { narrowSizes, widthFaults } from './width-faults.ts';

// What holds for every page. A page is opened inside the dashboard, which counts its requests, and by its URL in a narrow window, which is
// then widened.

let dashboard: Dashboard;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  dashboard = await startDashboard();
  page = await dashboard.open();
  complaints = complaintsOf(page);
});
afterAll(() => dashboard.close());

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
  annotation: 5,
  'annotation-number': 5,
  'annotation-none': 2,
  // The policies, the revisions, and the files of two of them.
  policies: 2,
  'policies-revision': 4,
  guardrails: 2,
  // The guardrails, the activity by day and by environment, and the traces that it matched.
  guardrail: 4,
  'guardrail-configuration': 2,
  'guardrail-new': 2,
  'trace-guardrail': 4,
};

describe.each(everyPage)('%s', (name, path) => {
  test('needs few requests, and its placeholders do not flicker', async () => {
    await page.setViewportSize(desktop);
    const opened = await opening(page, dashboard.root, dashboard.address(path));
    seen.set(name, opened);
    const asked = new Set(opened.requests.filter(({ start }) => start <= opened.complete).map((request) => request.path));
    expect(asked.size, [...asked].join(' ')).toBeLessThanOrEqual(needed[name] ?? 1);
    expect(opened.standIns).not.toContain('at once');
  });

  test('fits narrow windows, and axe finds no serious problem, light or dark', async () => {
    await page.setViewportSize(narrowSizes[0]);
    await page.goto(dashboard.address(path));
    await settled(page);
    for (const size of narrowSizes) {
      await page.setViewportSize(size);
      expect(await widthFaults(page), `at ${size.width} pixels`).toEqual([]);
    }
    await page.setViewportSize(desktop);
    expect(await problemsInBoth(page)).toEqual(noProblems);
    expect(complaints.splice(0)).toEqual([]);
  });
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
