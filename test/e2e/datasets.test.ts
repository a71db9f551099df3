import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { replaceText } from './replace-text.ts';
import { failingTraceId, toolTraceId } from './special-traces.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

async function itemsOf(datasetId: string): Promise<Array<Record<string, unknown>>> {
  const answer = await fetch(`${dashboard.service.url}/v1/datasets/${datasetId}/items`, {
    headers: { 'x-api-key': dashboard.service.apiKey },
  });
  return ((await answer.json()) as { items: Array<Record<string, unknown>> }).items;
}

const datasetIdHere = () => /\/datasets\/([^/?]+)/.exec(page.url())?.[1] ?? '';

test('a dataset is created, renamed and deleted', async () => {
  await openAs('owner', '/datasets');
  await page.getByRole('button', { name: 'New dataset' }).click();
  await page.getByLabel('Name', { exact: true }).fill('weather questions');
  await page.getByRole('button', { name: 'Create dataset' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('geography');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'geography' }).waitFor();
  await page.getByText('No items').waitFor();
  await page.getByRole('button', { name: 'Actions for geography' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel('Name', { exact: true }).fill('capitals');
  await page.getByLabel('Description').fill('Where things are');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'capitals' }).waitFor();
  await page.getByText('Where things are').waitFor();
  // From the list, without opening it.
  await page.getByRole('link', { name: 'Datasets /' }).click();
  await page.getByRole('button', { name: 'Actions for capitals' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('with 0 items and all runs').click();
  expect(datasetIdHere()).toBe('');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Dataset deleted', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'capitals' }).count()).toBe(0);
});

test('an item is added, edited without losing a digit, and deleted', async () => {
  await openAs('owner', '/datasets/{emptyDataset}');
  await page.getByRole('button', { name: 'Add item' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('group', { name: 'Input as' }).getByRole('button', { name: 'JSON' }).click();
  await dialog.getByRole('textbox', { name: 'Input' }).fill('{"order": 9007199254740993');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByRole('alert').getByText('Invalid JSON').waitFor();
  await replaceText(dialog.getByRole('textbox', { name: 'Input' }), '{"order": 9007199254740993}');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await page.getByText('Item added', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Item 1' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('item')).not.toBeNull();
  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('group', { name: 'Expected output as' }).getByRole('button', { name: 'Text' }).click();
  await dialog.getByRole('textbox', { name: 'Expected output' }).fill('shipped');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Item' }).getByText('shipped').waitFor();
  const exported = await page
    .context()
    .request.get(`/v1/datasets/${datasetIdHere()}/export?format=jsonl&projectId=${dashboard.projectId}`);
  expect(await exported.text()).toContain('"order":9007199254740993');
  await page.getByRole('button', { name: 'Delete item' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No items').waitFor();
});

test('an import error names line and column; the corrected file is imported and exported', async () => {
  await openAs('owner', '/datasets/{emptyDataset}');
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog');
  const choose = (name: string, text: string) =>
    dialog.getByLabel(/^File/).setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await choose('items.jsonl', '{"input":"one"}\n{"input":"two",}\n');
  await dialog.getByRole('button', { name: 'Import' }).click();
  const refusal = dialog.getByRole('alert');
  await refusal.getByText(/^Line 2, character 16/).waitFor();
  await refusal.getByText('{"input":"two",').waitFor();
  // The dialog knows the usual names of columns.
  await choose('items.csv', 'Question,Expected\none,1\n');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await page.getByText('1 item imported', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Import' }).click();
  await choose('items.csv', 'input,expectedOutput\n"Capital of France, please",Paris\n2+2,4\n');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await page.getByText('2 items imported', { exact: true }).waitFor();
  await page.getByRole('table', { name: 'Items' }).getByText('Capital of France, please').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toBe(`dataset-${datasetIdHere()}.csv`);
});

test('a span becomes an item with an edited expected output', async () => {
  await openAs('owner', `/traces/${toolTraceId}?span=answer`);
  await page.getByRole('button', { name: 'Add to dataset' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Dataset', { exact: true }).selectOption('New dataset…');
  await dialog.getByLabel('Dataset name').fill('from traces');
  await dialog.getByRole('group', { name: 'Expected output as' }).getByRole('button', { name: 'Text' }).click();
  await dialog.getByRole('textbox', { name: 'Expected output' }).fill('Yes, take the umbrella.');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Added to from traces', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  // The trace as well, with its recorded output.
  await page.getByRole('button', { name: 'Add to dataset' }).click();
  await dialog.getByLabel('Dataset', { exact: true }).selectOption('from traces');
  await dialog.getByLabel('Source').selectOption('Entire trace');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Added to from traces', { exact: true }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Datasets' }).click();
  await page.getByRole('link', { name: 'from traces' }).click();
  await expect.poll(() => page.getByRole('link', { name: /^Item \d/ }).count()).toBe(2);
  const items = await itemsOf(datasetIdHere());
  expect(items).toMatchObject([
    { expectedOutput: 'Yes, take the umbrella.', source: { traceId: toolTraceId, spanId: 'answer' } },
    {
      input: 'Do I need an umbrella in Utrecht tomorrow?',
      expectedOutput: 'Yes: 7 mm of rain and a strong wind.',
      source: { traceId: toolTraceId },
    },
  ]);
  await page.getByRole('link', { name: 'Trace', exact: true }).first().click();
  await page.getByRole('region', { name: 'Span' }).getByRole('heading', { name: 'chat' }).waitFor();
});

test('two runs are compared by evaluator with intervals, and by item with the biggest regression first', async () => {
  await openAs('owner', '/datasets/{dataset}');
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByLabel('Select prompt v1').check();
  await page.getByLabel('Select prompt v2').check();
  await page.getByRole('button', { name: 'Compare' }).click();
  const summary = page.getByRole('table', { name: 'Summary by evaluator' });
  await summary.waitFor();
  // A scroll shadow shows that there is more.
  const scroller = page.getByRole('group', { name: 'Summary by evaluator' });
  expect(await scroller.evaluate((element) => getComputedStyle(element).backgroundImage)).toContain('gradient');
  await summary
    .getByRole('cell', { name: /^Better: \+0\.\d+ \(95% CI \+0\.\d+ to \+0\.\d+\)$/ })
    .last()
    .waitFor();
  await summary
    .getByRole('img', { name: /^No clear difference/ })
    .first()
    .waitFor();
  const items = page.getByRole('table', { name: 'Compared items' });
  expect(await items.getByRole('columnheader', { name: 'Biggest regression' }).getAttribute('aria-sort')).toBe('ascending');
  // The biggest regression of one evaluator.
  await items.getByRole('button', { name: 'helpfulness' }).click();
  const first = items.getByRole('row').nth(1);
  await first.getByText('Can I sail on Sunday?').waitFor();
  await first.getByRole('link', { name: 'Item 4' }).click();
  const both = page.getByRole('region', { name: 'Compared item' });
  await expect.poll(() => both.locator('del').allInnerTexts()).toEqual(['No', 'there is a storm warning']);
  expect(await both.locator('ins').allInnerTexts()).toEqual(['Yes', 'it looks fine']);
  // The link is the view.
  const copy = await page.context().newPage();
  await copy.goto(page.url());
  await copy.getByRole('region', { name: 'Compared item' }).getByText('there is a storm warning').first().waitFor();
  await page.getByRole('button', { name: 'Swap runs' }).click();
  await summary
    .getByRole('cell', { name: /^Worse: / })
    .last()
    .waitFor();
});

test('compared items are filtered by outcome and by evaluator', async () => {
  await openAs('owner', '/datasets/{dataset}?tab=compare');
  const filter = page.getByRole('group', { name: 'Filter items' });
  const chips = async () => (await filter.getByRole('button').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  const items = page.getByRole('table', { name: 'Compared items' });
  const shown = () => items.getByRole('link', { name: /^Item \d+$/ }).allInnerTexts();
  await filter.getByRole('button', { name: 'New errors 1' }).waitFor();
  await expect.poll(async () => (await shown())[0]).toBe('9');
  await items.getByRole('row').nth(1).getByText('New error').waitFor();
  await filter.getByLabel('Compare by').selectOption('exact');
  await expect.poll(chips).toEqual(['New errors 1', 'Regressed 2', 'Improved 3', 'Unchanged 6']);
  expect(await items.getByRole('columnheader', { name: 'helpfulness' }).count()).toBe(0);
  await filter.getByRole('button', { name: /^Regressed/ }).click();
  await expect.poll(shown).toEqual(['4', '12']);
  await items.getByRole('row').nth(1).getByText('of 0–1').waitFor();
  await page.getByText('2 of 12 items').waitFor();
  await page.reload();
  await expect.poll(shown).toEqual(['4', '12']);
  await filter.getByLabel('Compare by').selectOption('helpfulness');
  await expect.poll(chips).toEqual(['New errors 1', 'Regressed 1', 'Improved 4', 'Unchanged 6']);
});

test.each(['items', 'runs'])('loaded %s stay when the next page cannot be loaded', async (tab) => {
  await openAs('owner', '/settings/organization');
  await page.route(/\/datasets\/[^/]+\/(items|runs)(\?|$)/, async (route) => {
    if (/[?&](after|cursor)=/.test(route.request().url()))
      return route.fulfill({ status: 500, json: { error: 'Try again.', code: 'internal' } });
    const response = await route.fetch();
    const body = (await response.json()) as { items?: object[] };
    const page = Array.from({ length: 1_000 }, (_unused, index) => ({ ...body.items?.[0], id: `${index}` }));
    return route.fulfill({ response, json: body.items ? { items: page } : { ...body, nextCursor: 'next' } });
  });
  await page.goto(dashboard.address(`/datasets/{dataset}?tab=${tab}`));
  const list = page.getByRole('group', { name: tab === 'items' ? 'Items' : 'Runs', exact: true });
  await list.press('End');
  await page.getByRole('alert').filter({ hasText: 'Further rows can’t be loaded.' }).waitFor();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await list.getByRole('row').nth(1).waitFor();
});

/** An item of a run in the response for a comparison. */
interface Side {
  output: unknown;
  scores: Array<{ score: number }>;
}

test('identical outputs never rank above wrong answers', async () => {
  await openAs('owner', '/settings/organization');
  await page.route(/\/runs\/compare\?/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { items: Array<{ datasetItemId: string; a: Side; b: Side }> };
    const [item] = body.items.filter(({ datasetItemId }) => datasetItemId !== dashboard.places.item);
    if (!item) throw new Error('nothing is compared');
    // The same answer, which every evaluator scores as low as can be this time.
    item.b.output = item.a.output;
    for (const entry of item.a.scores) entry.score = 1;
    for (const entry of item.b.scores) entry.score = 0;
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto(dashboard.address('/datasets/{dataset}?tab=compare'));
  const items = page.getByRole('table', { name: 'Compared items' });
  const rows = async () => (await items.getByRole('row').allInnerTexts()).slice(1);
  await expect.poll(async () => (await rows()).length).toBe(12);
  const order = await rows();
  const same = order.findIndex((row) => row.includes('Unchanged') && row.includes('−1'));
  expect(same).toBeGreaterThan(order.findIndex((row) => row.includes('Can I sail on Sunday?')));
  expect(order.slice(same).filter((row) => /of 0–1|New error/.test(row))).toEqual([]);
});

test('the runs table with four evaluators fits at 1440 px', async () => {
  await openAs('owner', '/settings/organization');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.route(/\/runs\?/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { runs: Array<{ aggregates: { byEvaluator: Array<{ evaluator: string }> } }> };
    for (const { aggregates } of body.runs) {
      const [first] = aggregates.byEvaluator;
      if (!first) throw new Error('the run has no scores');
      const names = ['answer-relevance', 'contains-citation', 'helpfulness', 'policy-compliance'];
      aggregates.byEvaluator = names.map((evaluator) => ({ ...first, evaluator }));
    }
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto(dashboard.address('/datasets/{dataset}?tab=runs'));
  await page.getByRole('columnheader', { name: 'policy-compliance' }).waitFor();
  await settled(page);
  const table = page.getByRole('group', { name: 'Runs' });
  expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  const cut = await table
    .locator('th')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
  expect(cut).toEqual([]);
});

test('adding to a dataset remembers it, takes an edited input and leads there', async () => {
  await openAs('owner', `/traces/${toolTraceId}?span=answer`);
  const add = async () => {
    await page.getByRole('button', { name: 'Add to dataset' }).click();
    await dialog.waitFor();
  };
  const dialog = page.getByRole('dialog');
  await add();
  await dialog.getByLabel('Dataset', { exact: true }).selectOption('New dataset…');
  await dialog.getByLabel('Dataset name').fill('remembered');
  await dialog.getByRole('group', { name: 'Input as' }).getByRole('button', { name: 'Text' }).click();
  await dialog.getByRole('textbox', { name: 'Input' }).fill('Umbrella tomorrow?');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Added to remembered', { exact: true }).waitFor();
  const other = await page.request.post('/v1/datasets', { data: { projectId: dashboard.projectId, name: 'newer' } });
  expect(other.status()).toBe(201);
  await page.reload();
  await add();
  const choice = dialog.getByLabel('Dataset', { exact: true });
  await expect.poll(() => choice.locator('option:checked').innerText()).toBe('remembered');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Open dataset' }).click();
  await page.getByRole('heading', { level: 1, name: 'remembered' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: /^Item \d/ }).count()).toBe(2);
  expect(await itemsOf(datasetIdHere())).toMatchObject([{ input: 'Umbrella tomorrow?' }, { source: { spanId: 'answer' } }]);
});

test('an edited item is not left without asking, and a failed span has no expected output', async () => {
  await openAs('owner', `/traces/${failingTraceId}?span=lookup`);
  await page.getByRole('button', { name: 'Add to dataset' }).click();
  const form = page.getByRole('dialog', { name: 'Add to dataset' });
  await form.getByText('Not set').waitFor();
  await form.getByText('No output was recorded.').waitFor();
  await form.getByRole('group', { name: 'Expected output as' }).getByRole('button', { name: 'Text' }).click();
  await form.getByRole('textbox', { name: 'Expected output' }).fill('Paid');
  await page.keyboard.press('Escape');
  const guard = page.getByRole('dialog', { name: 'Leave without saving?' });
  await guard.getByRole('button', { name: 'Cancel' }).click();
  expect(await form.getByRole('textbox', { name: 'Expected output' }).inputValue()).toBe('Paid');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await guard.getByRole('button', { name: 'Leave' }).click();
  await form.waitFor({ state: 'detached' });
});

test('a run shows the result of each item and links to its trace', async () => {
  await openAs('owner', '/datasets/{dataset}?tab=runs');
  await page.getByRole('link', { name: 'prompt v2' }).click();
  await page.getByRole('heading', { level: 1, name: 'prompt v2' }).waitFor();
  const evaluators = page.getByRole('region', { name: 'Scores by evaluator' });
  await evaluators.getByText('92% passed, 12 scored').waitFor();
  await page.getByRole('link', { name: 'Item 9', exact: true }).click();
  const item = page.getByRole('region', { name: 'Run item' });
  await item.getByText('the model refused at first: rate limit').waitFor();
  await item.getByRole('link', { name: /^Trace/ }).click();
  await page.getByRole('heading', { level: 1, name: 'answer the weather question' }).waitFor();
});

test('a viewer sees everything and no write action', async () => {
  const paths = [
    '/datasets',
    '/datasets/{dataset}?item={item}',
    '/datasets/{emptyDataset}',
    '/datasets/{dataset}?tab=runs',
    '/datasets/{dataset}/runs/{newerRun}',
    `/traces/${toolTraceId}`,
  ];
  for (const path of paths) {
    await openAs('viewer', path);
    await settled(page);
    const writing = page.getByRole('button', { name: /^(?:new|add|import|edit|delete|rename|actions)/i });
    expect(await writing.count(), path).toBe(0);
  }
});
