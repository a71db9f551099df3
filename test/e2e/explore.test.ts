import { expect, test } from 'vitest';
import { noProblems, problemsInBoth } from './axe.ts';
import { settled } from './dashboard.ts';
import { listedSpans, listOfSpans } from './listed-spans.ts';
import { toolTraceId } from './special-traces.ts';
import { dashboard, focused, openAs, page, visitDashboard } from './visit.ts';
import { narrowSizes } from './width-faults.ts';

visitDashboard();

const values = (name: string) => new URL(page.url()).searchParams.getAll(name);
const filter = () => values('filter')[0] ?? null;
const facet = (name: string) => page.getByRole('complementary', { name: 'Facets' }).getByRole('region', { name, exact: true });
const total = async () => Number(await page.locator('[data-total]').getAttribute('data-total'));
const panel = () => page.getByRole('region', { name: 'Trace panel' });

interface SpanCounts {
  count: number;
  calls: number;
  costUsd: number;
  buckets: Array<{ count: number }>;
}

/** What the service counts. */
async function counted(parameters: Record<string, string>): Promise<SpanCounts> {
  const path = `/v1/projects/${dashboard.projectId}/span-counts?${new URLSearchParams({ range: '30d', ...parameters })}`;
  return (await (await page.request.get(path)).json()) as SpanCounts;
}

test('the switch keeps the filter and the range, and the calls are counted', async () => {
  await openAs('viewer', '/explore?range=30d&filter=kind:llm');
  const lists = page.getByRole('navigation', { name: 'Lists' });
  await lists.getByRole('link', { name: 'Calls' }).click();
  await page.getByRole('table', { name: 'Calls' }).waitFor();
  expect([values('on'), values('range'), filter()]).toEqual([['spans'], ['30d'], 'kind:llm']);
  const { count, calls } = await counted({ filter: 'kind:llm' });
  await expect.poll(total).toBe(count);
  await page.getByText(`${calls.toLocaleString('en-GB')} model calls`).waitFor();
  await lists.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('table', { name: 'Sessions' }).waitFor();
  expect([values('on'), values('range'), filter()]).toEqual([['sessions'], ['30d'], 'kind:llm']);
  await lists.getByRole('link', { name: 'Traces' }).click();
  await page.getByRole('table', { name: 'Traces' }).waitFor();
  expect([values('on'), filter()]).toEqual([[], 'kind:llm']);
});

test('addresses of earlier releases lead to the lists with their parameters', async () => {
  await openAs('viewer', '/sessions?range=7d&user=ada&q=weather');
  await page.getByRole('table', { name: 'Sessions' }).waitFor();
  const url = new URL(page.url());
  expect(url.pathname).toMatch(/\/explore$/);
  expect(Object.fromEntries(url.searchParams)).toEqual({ range: '7d', on: 'sessions', filter: 'user:ada', q: 'weather' });
  await page.goBack();
  expect(page.url()).toBe('about:blank');
});

test('facets add values, join a second one, exclude a third, and count what each would add', async () => {
  await openAs('viewer', '/explore?on=spans&range=30d&filter=kind:llm');
  const model = facet('Model');
  const valuesOf = model.getByRole('button', { pressed: false }).filter({ has: page.locator('.numbers') });
  await valuesOf.first().waitFor();
  const [first = '', second = ''] = (await valuesOf.locator('bdi').allInnerTexts()).slice(0, 2);
  await model.getByRole('button', { name: new RegExp(`^${first}`) }).click();
  await expect.poll(filter).toBe(`kind:llm model:${first}`);
  await expect.poll(total).toBe((await counted({ filter: `kind:llm model:${first}` })).count);
  // Its own term does not narrow a facet: the second model still has its count.
  await model.getByRole('button', { name: new RegExp(`^${second}`) }).click();
  await expect.poll(filter).toBe(`kind:llm model:(${first} OR ${second})`);
  await expect.poll(total).toBe((await counted({ filter: `kind:llm model:(${first} OR ${second})` })).count);
  await model.getByRole('button', { name: new RegExp(`^${first}`), pressed: true }).click();
  await expect.poll(filter).toBe(`kind:llm model:${second}`);
  const environment = facet('Environment');
  await environment.getByRole('button', { name: 'Exclude Environment staging' }).click();
  await expect.poll(filter).toBe(`kind:llm model:${second} -environment:staging`);
  await page.goBack();
  await expect.poll(filter).toBe(`kind:llm model:${second}`);
});

test('facets are reached by a key, and say where their counts are estimates', async () => {
  await openAs('viewer', '/start');
  await page.route(/\/facets\?/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), sampled: true } });
  });
  await page.goto(dashboard.address('/explore?on=spans'));
  await page.getByRole('complementary', { name: 'Facets' }).getByText('(sampled)').waitFor();
  await page.keyboard.press('f');
  await expect.poll(focused).toBe('Status');
  await page.getByRole('button', { name: 'Choose the facets' }).click();
  await page.getByRole('dialog', { name: 'Fields' }).waitFor();
  expect(await problemsInBoth(page)).toEqual(noProblems);
});

test('a range of a number is chosen by its bars, and cleared', async () => {
  await openAs('viewer', '/explore?on=spans&range=30d');
  const bars = facet('Latency').getByRole('group', { name: 'Latency in ranges' }).getByRole('button');
  await bars.first().waitFor();
  const label = (await bars.first().getAttribute('aria-label')) ?? '';
  const inFirst = Number(/: ([\d,]+) span/.exec(label)?.[1]?.replaceAll(',', ''));
  await bars.first().focus();
  await page.keyboard.press('Enter');
  await expect.poll(filter).toMatch(/^latency:<=[\d.]+$/);
  const { count } = await counted({ filter: filter() ?? '' });
  await expect.poll(total).toBe(count);
  // A bucket is half open, and the term has its end.
  expect(count).toBeGreaterThanOrEqual(inFirst);
  await facet('Latency').getByRole('button', { name: 'Clear the range of Latency' }).click();
  await expect.poll(filter).toBeNull();
});

test('the chosen facets are remembered, also a key of metadata', async () => {
  const time = new Date().toISOString();
  await dashboard.send(
    ['gold', 'gold', 'free'].map((tier, index) => ({
      type: 'span',
      traceId: `tier-${index}`,
      spanId: 's',
      name: `tier ${index}`,
      startTime: time,
      endTime: time,
      metadata: { customer: { tier } },
    })),
  );
  await openAs('owner', '/explore?on=spans&range=1h');
  await page.getByRole('button', { name: 'Choose the facets' }).click();
  const fields = page.getByRole('dialog', { name: 'Fields' });
  await fields.getByLabel('Search fields and keys').fill('latency');
  await fields.getByRole('button', { name: 'Add key' }).click();
  await fields.getByRole('alert').waitFor();
  await fields.getByLabel('Search fields and keys').fill('metadata.customer.tier');
  await fields.getByRole('button', { name: 'Add key' }).click();
  await page.keyboard.press('Escape');
  const tier = facet('metadata.customer.tier');
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      return tier.getByRole('button', { name: /^gold/ }).innerText();
    })
    .toContain('2');
  await page.reload();
  await tier.getByRole('button', { name: /^free/ }).click();
  await expect.poll(filter).toBe('metadata.customer.tier:free');
});

test('the panel follows the keys, the list keeps its place, and Esc closes it', async () => {
  await openAs('viewer', '/explore?on=spans&range=30d&filter=kind:llm');
  const table = page.getByRole('table', { name: 'Calls' });
  await table.waitFor();
  await settled(page);
  const rows = page.getByRole('group', { name: 'Calls', exact: true });
  await rows.evaluate((list) => {
    list.scrollTop = 700;
  });
  // One that is in view there.
  const row = table.locator('tr[aria-rowindex="32"]');
  const name = await row.getByRole('link').first().innerText();
  await row.locator('td').nth(3).click();
  await panel().getByRole('region', { name: 'Span', exact: true }).getByRole('heading', { name }).waitFor();
  expect(await rows.evaluate((list) => list.scrollTop)).toBe(700);
  const [before] = values('span');
  const peeked = () => `${values('peek')[0]} ${values('span')[0]}`;
  const first = peeked();
  await page.keyboard.press('j');
  await expect.poll(peeked).not.toBe(first);
  await page.keyboard.press('k');
  await expect.poll(peeked).toBe(first);
  await panel().getByRole('link', { name: 'Open trace' }).waitFor();
  await page.keyboard.press('Escape');
  await panel().waitFor({ state: 'detached' });
  expect([values('peek'), values('span')]).toEqual([[], []]);
  expect(await rows.evaluate((list) => list.scrollTop)).toBe(700);
  // Back opens what a link can name.
  await page.goto(`${dashboard.root}/explore?peek=${toolTraceId}&span=answer`);
  await panel().getByRole('link', { name: 'Open trace' }).click();
  await page.getByRole('treegrid', { name: 'Spans' }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`/traces/${toolTraceId}$`));
  expect(values('span')).toEqual(['answer']);
  expect(before).toMatch(/./);
});

test('5,000 loaded rows keep few rows in the document', async () => {
  await openAs('viewer', '/settings/organization');
  await page.route(listOfSpans, (route) => route.fulfill({ json: listedSpans(route.request().url(), 5_000) }));
  await page.goto(dashboard.address('/explore?on=spans'));
  const rows = page.getByRole('group', { name: 'Calls', exact: true });
  await rows.waitFor();
  const loaded = () => page.getByRole('table', { name: 'Calls' }).getAttribute('aria-rowcount');
  for (let step = 0; step < 200 && (await loaded()) !== '5001'; step++) {
    await rows.evaluate((list) => {
      list.scrollTop = list.scrollHeight;
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    });
  }
  expect(await loaded()).toBe('5001');
  await rows.evaluate((list) => {
    list.scrollTop = list.scrollHeight;
  });
  await page.getByRole('link', { name: 'row 4999' }).waitFor();
  expect(await rows.getByRole('row').count()).toBeLessThan(80);
  await rows.evaluate((list) => {
    list.scrollTop = 0;
  });
  await page.getByRole('link', { name: 'row 0', exact: true }).waitFor();
  expect(await rows.getByRole('row').count()).toBeLessThan(80);
});

test('a list is shown as charts over time, which count what it lists', async () => {
  await openAs('viewer', '/explore?on=spans&range=30d&filter=kind:llm');
  await page.getByRole('table', { name: 'Calls' }).waitFor();
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  await page.getByRole('table', { name: 'Calls' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show as table' }).first().click();
  const chart = page.getByRole('table', { name: 'Spans', exact: true });
  const figures = async (column: number) =>
    (await chart.locator(`tbody td:nth-of-type(${column})`).allInnerTexts()).map((text) => Number(text.replaceAll(',', '')));
  const { count, buckets } = await counted({ filter: 'kind:llm' });
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  await expect.poll(async () => sum([...(await figures(1)), ...(await figures(2))])).toBe(count);
  expect(buckets.length).toBeGreaterThan(20);
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  await page.getByRole('table', { name: 'Calls' }).waitFor();
  expect(values('chart')).toEqual([]);
});

test('in a narrow window the facets and the panel lie over the list, and Esc closes them', async () => {
  await openAs('viewer', '/explore', { size: narrowSizes[0] });
  await page.getByRole('table', { name: 'Traces' }).waitFor();
  expect(await page.getByRole('complementary', { name: 'Facets' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Facets' }).click();
  await facet('Status')
    .getByRole('button', { name: /^error/ })
    .click();
  await expect.poll(filter).toBe('status:error');
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: 'Facets' }).waitFor({ state: 'detached' });
  await page.getByRole('table', { name: 'Traces' }).getByRole('link').first().click();
  await panel().waitFor();
  await page.keyboard.press('Escape');
  await panel().waitFor({ state: 'detached' });
  await page.getByRole('table', { name: 'Traces' }).waitFor();
});

test('the link of a private view says that nobody else can open it, and shares the view where the role may', async () => {
  const copy = async (as: 'owner' | 'viewer', name: string) => {
    await openAs(as, '/explore?filter=status:error');
    await page.getByRole('button', { name: 'Save as view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Copy link' }).click();
  };
  const share = () => page.getByRole('button', { name: 'Share with project' });
  await copy('viewer', 'Seen by a viewer');
  await page.getByText('Link copied. Only you can open this view.', { exact: true }).waitFor();
  expect(await share().count()).toBe(0);
  await copy('owner', 'Seen by all');
  await page.getByText('Link copied. Only you can open this view: share it with the project first.', { exact: true }).waitFor();
  const [id = ''] = values('view');
  await share().click();
  await page.getByText('Everyone in the project can open this view', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied', { exact: true }).waitFor();
  await openAs('viewer', `/explore?view=${id}`);
  await expect.poll(filter).toBe('status:error');
});

test('a view is saved, opened by a link, changed, pinned, shared and deleted', async () => {
  const tab = () => page.getByRole('group', { name: 'Saved views' }).getByRole('button', { name: /Dear calls/ });
  await openAs('owner', '/explore?on=spans&range=7d&filter=kind:llm&sort=-cost');
  await page.getByRole('button', { name: 'Save as view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel('Name').fill('Dear calls');
  await dialog.getByLabel('Who sees it').selectOption('Everyone in the project');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => tab().getAttribute('aria-pressed')).toBe('true');
  const [id = ''] = values('view');
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  // A colleague opens the link, which names the view alone.
  await openAs('viewer', `/explore?view=${id}`);
  await page.getByRole('table', { name: 'Calls' }).waitFor();
  await expect.poll(filter).toBe('kind:llm');
  expect([values('on'), values('range'), values('sort'), values('view')]).toEqual([['spans'], ['7d'], ['-cost'], [id]]);
  await page.getByRole('button', { name: 'Errors' }).click();
  await tab().getByText('changed').waitFor({ state: 'attached' });
  expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Undo changes' }).click();
  await expect.poll(filter).toBe('kind:llm');
  // Its maker changes it.
  await openAs('owner', `/explore?view=${id}`);
  await page.getByRole('button', { name: 'Errors' }).click();
  await expect.poll(filter).toBe('kind:llm status:error');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('View saved', { exact: true }).waitFor();
  const stored = async () =>
    (await (await page.request.get(`/v1/projects/${dashboard.projectId}/views/${id}`)).json()) as Record<string, unknown>;
  expect(await stored()).toMatchObject({ filter: 'kind:llm status:error', visibility: 'project', pinned: false });
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Pin' }).click();
  await expect.poll(async () => (await stored())['pinned']).toBe(true);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog', { name: 'Delete view?' }).getByRole('button', { name: 'Delete' }).click();
  await tab().waitFor({ state: 'detached' });
  await page.goto(dashboard.address(`/explore?view=${id}`));
  await page.getByText('This view does not exist, or it is private to someone else.').first().waitFor();
});
