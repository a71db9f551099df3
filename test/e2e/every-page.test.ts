import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noProblems, problemsInBoth } from './axe.ts';
import { complaintsOf, desktop, settled } from './dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import { discouragedWords } from './discouraged-words.ts';
import { everyPage } from './every-page.ts';
import { figureFaults } from './figure-faults.ts';
import { opening } from './opening.ts';
import type { Opening } from './opening.ts';
import { commonDashboard } from './visit.ts';
import { narrowSizes, widthFaults } from './width-faults.ts';

// What holds for every page. Each is opened inside the dashboard, which counts its requests, then loaded again by its URL in a narrow window, which is widened.

let dashboard: Dashboard;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  dashboard = await commonDashboard();
  page = await dashboard.open();
  complaints = complaintsOf(page);
});
afterAll(() => page.context().close());

const seen = new Map<string, Opening>();

/** Maximum number of requests until a page is complete, including prefetches. The default is 1. */
const needed: Readonly<Record<string, number>> = {
  // The environments of the switch are one request of each page of figures; the scores by evaluator are one of the overview.
  overview: 4,
  'overview-agents': 4,
  start: 2,
  // The traces of the choice, the spans of the trace, the span, and its mapping.
  'mapping-span': 4,
  // The models, and the prices.
  'settings-prices': 2,
  // The members, and the invitations that wait.
  'settings-members': 2,
  model: 7,
  'model-per-success': 7,
  // The summary, the kinds of the filter, changes, and the environments.
  outcomes: 4,
  'outcomes-of-kind': 4,
  'outcomes-none': 4,
  models: 3,
  'models-by-quality': 3,
  // The comparison, and the span of the opened pair in each trace.
  'trace-comparison-pair': 3,
  // The outline, the comments, a trace before and one after it in the list, the selected span, and spans that it refers to.
  trace: 6,
  // The outline, the comments, a trace before and one after it, and the trace's own contents.
  'trace-overview': 5,
  // The outline, and the comments.
  'trace-not-found': 2,
  'trace-failed': 6,
  'trace-hostile': 6,
  'trace-span': 6,
  'trace-tools': 6,
  'trace-tool': 6,
  'trace-attributes': 6,
  // The members too, for the names of those who are mentioned.
  'trace-comments': 7,
  'trace-comment': 7,
  'trace-comments-none': 6,
  'trace-comments-hostile': 6,
  // The list, the number over time, the facets, and the saved views.
  traces: 4,
  'traces-by-score': 4,
  'traces-by-prompt': 4,
  'traces-filtered': 3,
  'traces-none': 3,
  // The list, the number over time, the views, and of the trace its outline, its comments, its span and those around it.
  'traces-peek': 7,
  calls: 4,
  'calls-filtered': 4,
  // The number over time, the facets, and the views.
  'calls-chart': 3,
  sessions: 2,
  'prompt-hostile': 2,
  prompts: 2,
  'prompts-folder': 2,
  'prompts-none': 2,
  'prompt-metrics': 3,
  'prompt-no-calls': 3,
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
  // The evaluator, what its form offers, its scores over time, and its evaluations.
  evaluator: 6,
  evaluations: 2,
  'evaluations-failed': 2,
  'evaluations-run-items': 2,
  'trace-mapping': 7,
  annotation: 5,
  'annotation-number': 5,
  'annotation-none': 2,
  // The policies, the revisions, and the files of two of them.
  policies: 2,
  'policies-revision': 4,
  guardrails: 2,
  // The guardrails, the activity by day and by environment, the traces that it matched, and changes.
  guardrail: 5,
  'guardrail-configuration': 2,
  'guardrail-new': 2,
  'trace-guardrail': 5,
  // The rule, and the suggestions of the form: environments and the overview. The preview follows.
  alert: 4,
  'alert-deliveries': 2,
  'alert-new': 2,
  // The list, and the rules and environments of the filters.
  incidents: 3,
  'incidents-none': 3,
  // The incident, its worst traces and fix proposals, the rules, the figure and changes around it.
  incident: 6,
  'incident-resolved': 6,
  'incident-hostile': 6,
  'incident-not-found': 3,
  'model-lifecycle': 2,
  'model-lifecycle-catalogue': 2,
  // The graph, and the environments of the filter; and the opened node.
  graph: 2,
  'graph-table': 2,
  'graph-none': 2,
  'graph-node': 3,
  'graph-unknown-node': 3,
  // The scenarios, the runs, and the datasets for their names.
  simulations: 3,
  'simulations-runs': 2,
  'simulations-runs-filtered': 3,
  'simulations-runs-none': 2,
  // The scenario, and its dataset, the items to try, the evaluators and model connections of the form.
  scenario: 5,
  // The run, its items and distributions, and for the gate the completed runs and the newest of these; and the opened item.
  'batch-run': 5,
  'batch-run-item': 6,
  'batch-run-compared': 5,
  'batch-run-compared-item': 6,
  'scenario-new': 2,
  'batch-run-not-found': 3,
  // The change, its impact, and who called models in these hours.
  change: 3,
  'change-not-found': 2,
};

/** Pages with a panel, and the parameter that opens it. */
const panels: Readonly<Record<string, string>> = {
  'traces-peek': 'peek',
  'trace-span': 'span',
  'trace-comments': 'comments',
  'trace-comment': 'comment',
  'graph-node': 'node',
  'dataset-item': 'item',
  'dataset-compare-item': 'item',
  'dataset-run-item': 'item',
  'batch-run-item': 'item',
};

test.each(everyPage)(
  '%s: needs few requests, does not flicker, has no discouraged wording, inexact figure or serious problem for axe, and fits narrow windows',
  async (name, path) => {
    await page.setViewportSize(desktop);
    const opened = await opening(page, dashboard.root, dashboard.address(path));
    seen.set(name, opened);
    const asked = new Set(opened.requests.filter(({ start }) => start <= opened.complete).map((request) => request.path));
    expect(asked.size, [...asked].join(' ')).toBeLessThanOrEqual(needed[name] ?? 1);
    expect(opened.standIns).not.toContain('at once');
    await page.setViewportSize(narrowSizes[0]);
    await page.reload();
    await settled(page);
    for (const size of narrowSizes) {
      await page.setViewportSize(size);
      expect(await widthFaults(page), `at ${size.width} pixels`).toEqual([]);
    }
    await page.setViewportSize(desktop);
    expect(await discouragedWords(page)).toEqual([]);
    expect(await figureFaults(page)).toEqual([]);
    expect(await problemsInBoth(page)).toEqual(noProblems);
    const panel = panels[name];
    if (panel !== undefined) {
      await page.keyboard.press('Escape');
      await expect.poll(() => new URL(page.url()).searchParams.has(panel)).toBe(false);
    }
    expect(complaints.splice(0)).toEqual([]);
  },
);

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
