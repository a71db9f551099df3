import { expect, test } from 'vitest';
import { chartOf, drawingOf, leftmost, overlaps, recordDrawings } from './drawn-charts.ts';
import type { Drawing } from './drawn-charts.ts';
import { settled } from './dashboard.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

// What the charts draw: names, axes, lines and colours.

visitDashboard({ shares: true });

const model = 'gpt-4o-2024-08-06';

/** A model of the response for a model's page. */
interface FrontierPoint {
  model: string;
  avgCostUsd: number;
  avgEvalScore: number | null;
}

/** Changes the response of an endpoint of the project, for figures that the seeded data does not have. */
async function change<Body>(endpoint: string, edit: (body: Body) => void): Promise<void> {
  await page.route(new RegExp(`/v1/projects/[^/]+/${endpoint}\\?`), async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as Body;
    edit(body);
    await route.fulfill({ response: answer, json: body });
  });
}

/** Opens the page of {@link model} from the list, compared with the given models, and waits for the names in its chart. */
async function openFrontier(others: readonly FrontierPoint[]): Promise<Drawing> {
  await openAs('owner', '/models');
  await change<{ frontier: { points: object[] } }>(`models/${model}`, ({ frontier }) => {
    const [point] = frontier.points;
    frontier.points = others.map((other) => ({ ...point, ...other }));
  });
  await recordDrawings(page);
  await page.getByRole('table', { name: 'Models' }).getByRole('link', { name: model, exact: true }).click();
  await chartOf(page, 'Cost and quality').locator('canvas').waitFor();
  await settled(page);
  await expect.poll(async () => (await drawingOf(page, 'Cost and quality')).texts.map(({ text }) => text)).toContain(model);
  return drawingOf(page, 'Cost and quality');
}

/** The highest value that an axis names; null while nothing is drawn. */
function highestOf(drawing: Drawing): number | null {
  const labels = leftmost(drawing).map((text) => Number(text.replace('%', '')));
  return labels.length > 2 ? Math.max(...labels) : null;
}

/** A model of the overview's response. */
interface Overviewed {
  trend: Array<{ avg_score: number }>;
  timeline: Array<{ calls: number; errors: number }>;
}

const caption = () =>
  page
    .getByRole('figure')
    .filter({ has: chartOf(page, 'Cost and quality') })
    .locator('figcaption');

test('each point of the frontier is named without overlap; its line has a caption', async () => {
  const others = Array.from({ length: 12 }, (_, index) => ({
    model: `vendor/model-${String(index + 1).padStart(2, '0')}`,
    avgCostUsd: 0.02 + index * 1e-5,
    avgEvalScore: 0.9 - index * 1e-4,
  }));
  const { texts, hasDashedLine } = await openFrontier(others);
  const names = [model, ...others.map((other) => other.model)];
  const drawn = texts.filter(({ text }) => names.includes(text));
  expect(drawn.map(({ text }) => text).toSorted()).toEqual(names.toSorted());
  expect(overlaps(drawn)).toEqual([]);
  expect(hasDashedLine).toBe(true);
  expect(await caption().innerText()).toContain('Dashed line: best quality at each cost.');
});

test('the axis of the quality of the frontier ends where the scale ends', async () => {
  await openFrontier([{ model: 'vendor/model-best', avgCostUsd: 0.02, avgEvalScore: 1 }]);
  await expect.poll(async () => highestOf(await drawingOf(page, 'Cost and quality'))).toBe(1);
});

test('a frontier of one point has neither a line nor its caption', async () => {
  const { hasDashedLine } = await openFrontier([]);
  expect(hasDashedLine).toBe(false);
  expect(await caption().allInnerTexts()).not.toContainEqual(expect.stringMatching(/dashed/i));
});

test('a comparison with another model describes that model', async () => {
  await openAs('owner', '/models');
  await change<{ frontier: { points: object[] } }>(`models/${model}`, ({ frontier }) => {
    const [point] = frontier.points;
    frontier.points = [{ ...point, costDeltaPct: 15, qualityDelta: -0.11 }];
  });
  await page.getByRole('table', { name: 'Models' }).getByRole('link', { name: model, exact: true }).click();
  await page.getByRole('table', { name: 'Compared with other models' }).getByText('94% cheaper, 0.11 lower quality').waitFor();
});

test('axes of scores and rates end where the scale ends', async () => {
  await openAs('owner', '/models');
  await change<{ models: Overviewed[]; totals: Pick<Overviewed, 'timeline'> }>('overview', ({ models, totals }) => {
    for (const { timeline } of [...models, totals]) for (const day of timeline) day.errors = day.calls;
  });
  await change<{ evaluators: Array<{ timeline: Array<{ avg: number | null }> }> }>('score-summary', ({ evaluators }) => {
    for (const { timeline } of evaluators) for (const day of timeline) day.avg = 1;
  });
  await recordDrawings(page);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click();
  await expect.poll(async () => highestOf(await drawingOf(page, 'Quality'))).toBe(1);
  await expect.poll(async () => highestOf(await drawingOf(page, 'Error rate'))).toBe(100);
});

/** Six models, of which other five have the highest cost, the most calls and the most failed calls. */
const sixModels = [
  ['model-a', 6, 60, 1],
  ['model-b', 5, 50, 1],
  ['model-c', 4, 40, 1],
  ['model-d', 3, 30, 0],
  ['model-e', 2, 10, 8],
  ['model-f', 0.1, 20, 9],
] as const;

test('a model has one colour in all charts of a page', async () => {
  await openAs('owner', '/models');
  await change<{ models: Array<{ timeline: object[] }> }>('overview', (body) => {
    const [model] = body.models;
    body.models = sixModels.map(([name, cost, calls, errors]) => ({
      ...model,
      model: name,
      cost,
      calls,
      errors,
      timeline: [{ ...model?.timeline.at(-1), cost, calls, errors }],
    }));
  });
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).click();
  const legends = page.getByRole('list', { name: 'Series' });
  await legends.getByText('model-f').first().waitFor();
  await settled(page);
  const entries = await legends.getByRole('listitem').evaluateAll((all) =>
    all.map((item) => {
      const sample = item.querySelector('span');
      return { name: item.textContent, color: sample === null ? '' : getComputedStyle(sample).backgroundColor };
    }),
  );
  expect(entries.length).toBeGreaterThan(12);
  const byName = Map.groupBy(entries, ({ name }) => name);
  const several = [...byName].filter(([, shown]) => new Set(shown.map(({ color }) => color)).size > 1);
  expect(several.map(([name]) => name)).toEqual([]);
});

test('ranges of up to 3 days have a row an hour, longer ones a row a day', async () => {
  const endMs = Date.now() - 86_400_000;
  const daysBefore = (days: number) =>
    `?${new URLSearchParams({ from: new Date(endMs - days * 86_400_000).toISOString(), to: new Date(endMs).toISOString() })}`;
  await openAs('owner', daysBefore(3));
  await page.getByRole('heading', { name: /^Hourly calls/ }).waitFor();
  await page.goto(dashboard.address(daysBefore(3.5)));
  await page.getByRole('heading', { name: /^Daily calls/ }).waitFor();
});
