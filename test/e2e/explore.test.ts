import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { listedSpans, listOfSpans } from './listed-spans.ts';
import { toolTraceId } from './special-traces.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';
import { narrowSizes } from './width-faults.ts';

visitDashboard();

const values = (name: string) => new URL(page.url()).searchParams.getAll(name);
const filter = () => values('filter')[0] ?? null;
const facet = (name: string) => page.getByRole('complementary', { name: 'Facets' }).getByRole('region', { name, exact: true });
const total = async () => Number(await page.locator('[data-total]').getAttribute('data-total'));
const panel = () => page.getByRole('region', { name: 'Trace panel' });
const selection = () => page.getByRole('region', { name: 'Selection' });

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
  await fields.getByLabel('Key').fill('latency');
  await fields.getByRole('button', { name: 'Add' }).click();
  await fields.getByRole('alert').waitFor();
  await fields.getByLabel('Key').fill('metadata.customer.tier');
  await fields.getByRole('button', { name: 'Add' }).click();
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

test('columns are chosen, ordered and sized by keys, and kept in the URL', async () => {
  await openAs('viewer', '/explore?on=spans');
  await page.getByRole('table', { name: 'Calls' }).waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  const columns = page.getByRole('dialog', { name: 'Columns' });
  await columns.getByRole('checkbox', { name: /^helpfulness/ }).check();
  await columns.getByRole('checkbox', { name: 'Input' }).uncheck();
  await columns.getByRole('button', { name: 'Move Model to the left' }).press('Enter');
  await columns.getByRole('button', { name: 'Wider: Name' }).press('Enter');
  await expect
    .poll(() => values('columns'))
    .toEqual(['model', 'name~190', 'tokens', 'cost', 'latency', 'startTime', 'score.helpfulness']);
  await page.keyboard.press('Escape');
  const heads = page.getByRole('table', { name: 'Calls' }).getByRole('columnheader');
  await expect.poll(async () => (await heads.allInnerTexts()).slice(1, 3)).toEqual(['Model', 'Name']);
  await page.reload();
  await expect.poll(async () => (await heads.allInnerTexts()).at(-1)).toBe('helpfulness');
  // The scores sort, those without one last.
  await heads.last().getByRole('button').click();
  await expect.poll(() => values('sort')).toEqual(['-score.helpfulness']);
  await settled(page);
  const scores = await page.getByRole('table', { name: 'Calls' }).locator('tbody td:last-child').allInnerTexts();
  const numbers = scores.map((text) => Number(text)).filter((number) => !Number.isNaN(number));
  expect(numbers.length).toBeGreaterThan(2);
  expect(numbers).toEqual(numbers.toSorted((left, right) => right - left));
});

test('a column is sized by dragging its edge', async () => {
  await openAs('viewer', '/explore');
  const head = page.getByRole('columnheader', { name: 'Models' });
  await head.waitFor();
  const box = (await head.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + box.width - 2, box.y + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width + 58, box.y + 12, { steps: 3 });
  await page.mouse.up();
  const width = () => Number(/^models~(\d+)$/.exec(values('columns').find((text) => text.startsWith('models')) ?? '')?.[1]);
  await expect.poll(width).toBeGreaterThan(box.width + 50);
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
  const row = table.getByRole('row').nth(20);
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

test('rows are ticked by keys, with Shift as a range, and all that match are selected', async () => {
  await openAs('owner', '/explore?range=30d&filter=environment:production');
  const table = page.getByRole('table', { name: 'Traces' });
  await table.waitFor();
  await settled(page);
  for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
  await selection().getByText('3 traces selected').waitFor();
  expect(await selection().getByRole('link', { name: 'Compare' }).count()).toBe(0);
  await page.keyboard.press('x');
  const compared = await selection().getByRole('link', { name: 'Compare' }).getAttribute('href');
  expect(compared).toMatch(/\/trace-comparison\?a=.+&b=.+$/);
  await page.keyboard.press('x');
  await table
    .getByRole('checkbox')
    .nth(6)
    .click({ modifiers: ['Shift'] });
  await selection().getByText('6 traces selected').waitFor();
  const all = await total();
  await selection()
    .getByRole('button', { name: `Select all ${all.toLocaleString('en-GB')} that match` })
    .click();
  await selection()
    .getByText(`${all.toLocaleString('en-GB')} traces selected`)
    .waitFor();
  await table.getByRole('checkbox').nth(2).uncheck();
  await selection()
    .getByText(`${(all - 1).toLocaleString('en-GB')} traces selected`)
    .waitFor();
  await selection().getByRole('button', { name: 'Clear the selection' }).click();
  await selection().waitFor({ state: 'detached' });
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

test('a selection is exported and downloaded, and put into a new dataset', async () => {
  await openAs('owner', '/explore?range=30d&filter=environment:evaluation');
  await page.getByRole('table', { name: 'Traces' }).waitFor();
  await settled(page);
  const all = await total();
  await page.getByRole('checkbox', { name: 'Select the loaded traces' }).check();
  await selection().getByText(`${all} traces selected`).waitFor();
  await selection().getByRole('button', { name: 'Export' }).click();
  const asked = page.getByRole('dialog', { name: `Export: ${all} traces` });
  await asked.getByLabel('Contents').selectOption('true');
  await asked.getByRole('button', { name: 'Export' }).click();
  const job = page.getByRole('region', { name: 'Job' });
  await job.getByText(`${all} of ${all}`).waitFor();
  const download = page.waitForEvent('download');
  await job.getByRole('link', { name: 'Download' }).click();
  const stream = await (await download).createReadStream();
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  const lines = text.trim().split('\n');
  expect(lines).toHaveLength(all);
  expect(Object.keys(JSON.parse(lines[0] ?? '{}') as object)).toEqual(expect.arrayContaining(['traceId', 'input', 'output']));
  await selection().waitFor({ state: 'detached' });
  for (const key of ['j', 'x']) await page.keyboard.press(key);
  await selection().getByRole('button', { name: 'Add to dataset' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to dataset: 1 trace' });
  await dialog.getByLabel('Dataset', { exact: true }).selectOption('New dataset…');
  await dialog.getByLabel('Dataset name').fill('chosen in Explore');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await job.getByRole('link', { name: 'Open dataset' }).click();
  await page.getByRole('heading', { level: 1, name: 'chosen in Explore' }).waitFor();
  await page.getByRole('link', { name: 'Item 1' }).waitFor();
});

test('traces are deleted once the word is typed; a viewer is offered nothing but an export', async () => {
  const time = new Date().toISOString();
  await dashboard.send(
    ['one', 'two'].map((name) => ({
      type: 'span',
      traceId: `gone-${name}`,
      spanId: 's',
      name: `gone ${name}`,
      release: 'to-delete',
      startTime: time,
      endTime: time,
    })),
  );
  await openAs('owner', '/start');
  const list = `/v1/projects/${dashboard.projectId}/traces?release=to-delete`;
  const stored = async () => ((await (await page.request.get(list)).json()) as { traces: unknown[] }).traces.length;
  await expect.poll(stored).toBe(2);
  await page.goto(dashboard.address('/explore?filter=release:to-delete'));
  await page.getByRole('link', { name: 'gone one' }).waitFor();
  await page.getByRole('checkbox', { name: 'Select the loaded traces' }).check();
  await selection().getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete: 2 traces' });
  const confirm = dialog.getByRole('button', { name: 'Delete' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Type “delete” to confirm').fill('delete');
  await confirm.click();
  await page.getByText('No matching traces').waitFor();
  expect(await stored()).toBe(0);
  await page.getByRole('button', { name: 'Jobs' }).click();
  await page
    .getByRole('dialog', { name: 'Jobs' })
    .getByRole('listitem')
    .filter({ hasText: 'Delete' })
    .getByText('2 of 2')
    .waitFor();
  await openAs('viewer', '/explore');
  await page.getByRole('checkbox', { name: 'Select the loaded traces' }).check();
  expect(await selection().getByRole('button').allInnerTexts()).toEqual(expect.arrayContaining(['Export']));
  expect(
    await selection()
      .getByRole('button', { name: /delete|dataset|tags|evaluate/i })
      .count(),
  ).toBe(0);
});

test('tags are added to all that match, and are a facet', async () => {
  const time = new Date().toISOString();
  await dashboard.send(
    ['one', 'two', 'three'].map((name) => ({
      type: 'span',
      traceId: `tagged-${name}`,
      spanId: 's',
      name: `tagged ${name}`,
      release: 'to-tag',
      startTime: time,
      endTime: time,
    })),
  );
  await openAs('owner', '/start');
  const list = `/v1/projects/${dashboard.projectId}/traces?release=to-tag`;
  const tags = async () => {
    const { traces } = (await (await page.request.get(list)).json()) as { traces: Array<{ tags: string[] }> };
    return traces.map((trace) => trace.tags.toSorted().join('+')).toSorted();
  };
  await expect.poll(tags).toEqual(['', '', '']);
  await page.goto(dashboard.address('/explore?range=24h&filter=release:to-tag'));
  await page.getByRole('link', { name: 'tagged one' }).waitFor();
  for (const key of ['j', 'x']) await page.keyboard.press(key);
  await selection().getByRole('button', { name: 'Select all 3 that match' }).click();
  await selection().getByRole('button', { name: 'Tags' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tags: 3 traces' });
  await dialog.getByLabel('Tags').fill('to review, eu');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('region', { name: 'Job' }).getByText('3 of 3').waitFor();
  expect(await tags()).toEqual(['eu+to review', 'eu+to review', 'eu+to review']);
  await facet('Tag').getByRole('button', { name: 'Tag', expanded: false }).click();
  await facet('Tag')
    .getByRole('button', { name: /^to review/ })
    .click();
  await expect.poll(filter).toBe('release:to-tag tag:"to review"');
  await expect.poll(total).toBe(3);
});

test('ticked traces are evaluated by a chosen evaluator', async () => {
  const time = new Date().toISOString();
  await dashboard.send(
    ['one', 'two', 'three'].map((name) => ({
      type: 'span',
      traceId: `evaluated-${name}`,
      spanId: 's',
      name: `evaluated ${name}`,
      release: 'to-evaluate',
      startTime: time,
      endTime: time,
      output: 'a good answer',
    })),
  );
  await openAs('owner', '/start');
  const ofProject = `/v1/projects/${dashboard.projectId}`;
  const evaluator = { slug: 'says-good', name: 'Says good', type: 'contains', config: { value: 'good' }, target: 'trace' };
  expect((await page.request.post(`${ofProject}/evaluators`, { data: evaluator })).status()).toBe(201);
  const listed = async () =>
    ((await (await page.request.get(`${ofProject}/traces?release=to-evaluate`)).json()) as { traces: unknown[] }).traces.length;
  await expect.poll(listed).toBe(3);
  await page.goto(dashboard.address('/explore?range=24h&filter=release:to-evaluate'));
  await page.getByRole('checkbox', { name: 'Select the loaded traces' }).check();
  await selection().getByRole('button', { name: 'Evaluate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Evaluate: 3 traces' });
  await dialog.getByRole('checkbox', { name: 'Says good' }).check();
  await dialog.getByRole('button', { name: 'Evaluate' }).click();
  await page.getByRole('region', { name: 'Job' }).getByText('3 of 3').waitFor();
  await page.goto(dashboard.address('/explore?range=24h&filter=passed.says-good:true release:to-evaluate'));
  await expect.poll(total).toBe(3);
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
