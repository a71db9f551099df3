import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { dashboard, focused, openAs, page, visitDashboard } from './visit.ts';

// Ticked rows of Explore, and what is done with them.

visitDashboard();

const filter = () => new URL(page.url()).searchParams.get('filter');
const facet = (name: string) => page.getByRole('complementary', { name: 'Facets' }).getByRole('region', { name, exact: true });
const total = async () => Number(await page.locator('[data-total]').getAttribute('data-total'));
const selection = () => page.getByRole('region', { name: 'Selection' });

test('rows are ticked by keys, with Shift as a range, and all that match are selected', async () => {
  await openAs('owner', '/explore?range=30d&filter=environment:production');
  const table = page.getByRole('table', { name: 'Traces' });
  await table.waitFor();
  await settled(page);
  for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
  await selection().getByText('3 traces selected').waitFor();
  await page.keyboard.press('b');
  await expect.poll(focused).toMatch(/^Select all/);
  await page.keyboard.press('j');
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

test('failed traces of a customer are found, saved, sent to a colleague and put into a dataset', async () => {
  const time = new Date(Date.now() - 60_000).toISOString();
  const ended = new Date(Date.now() - 59_000).toISOString();
  const trace = (customer: string, index: number, costUsd: number) => {
    const shared = { type: 'span', traceId: `journey-${customer.length}-${index}`, startTime: time, endTime: ended };
    const tool = { ...shared, parentSpanId: 'root', kind: 'tool', name: 'lookup_order' };
    return [
      { ...shared, spanId: 'root', name: 'answer', metadata: { customer: { name: customer } }, release: 'journey' },
      { ...shared, spanId: 'call', parentSpanId: 'root', name: 'chat', kind: 'llm', model: 'own-model', costUsd },
      { ...tool, spanId: 'first', status: 'error', errorCode: 'timeout', errorMessage: 'The order service was late.' },
      { ...tool, spanId: 'second' },
    ];
  };
  const of = (customer: string, count: number, costUsd: number) =>
    Array.from({ length: count }, (_, index) => trace(customer, index, costUsd)).flat();
  await dashboard.send(of('Acme Ltd', 22, 0.02));
  await dashboard.send([...of('Zeta', 3, 0.02), ...of('Cheap', 3, 0.001)]);
  await openAs('owner', '/start');
  const listed = `/v1/projects/${dashboard.projectId}/traces?release=journey&limit=100`;
  await expect.poll(async () => (await (await page.request.get(listed)).text()).split('"traceId"').length - 1).toBe(28);
  await page.getByRole('link', { name: 'Explore' }).click();
  // What is wanted is written; the name of the customer has a space.
  await page.getByRole('textbox', { name: 'Filter' }).click();
  await page.keyboard.insertText('status:error cost:>0.01 any(tool:lookup_order) metadata.customer.name:"Acme Ltd"');
  await page.keyboard.press('Enter');
  await expect.poll(total).toBe(22);
  await page.getByRole('button', { name: 'Save as view' }).click();
  const view = page.getByRole('dialog', { name: 'Save view' });
  await view.getByLabel('Name').fill('Failures of Acme');
  await view.getByLabel('Who sees it').selectOption('Everyone in the project');
  await view.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied', { exact: true }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const boxes = page.getByRole('table', { name: 'Traces' }).getByRole('checkbox');
  await boxes.nth(1).check();
  await boxes.nth(20).click({ modifiers: ['Shift'] });
  await selection().getByText('20 traces selected').waitFor();
  await selection().getByRole('button', { name: 'Add to dataset' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to dataset: 20 traces' });
  await dialog.getByLabel('Dataset', { exact: true }).selectOption('New dataset…');
  await dialog.getByLabel('Dataset name').fill('Failures of Acme');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('region', { name: 'Job' }).getByText('20 of 20').waitFor();
  // The colleague.
  await openAs('viewer', '/start');
  await page.goto(link);
  await expect.poll(total).toBe(22);
  await page
    .getByRole('group', { name: 'Saved views' })
    .getByRole('button', { name: 'Failures of Acme', pressed: true })
    .waitFor();
});
