import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { failingTraceId } from './special-traces.ts';
import { dashboard, focused, openAs, page, visitDashboard } from './visit.ts';
import { narrowSizes } from './width-faults.ts';

visitDashboard();

const table = () => page.getByRole('table', { name: 'Traces' });
const footer = () => page.getByText(/^[\d,]+ traces?$/);
const values = (name: string) => new URL(page.url()).searchParams.getAll(name);

/** Sends a trace that starts now. */
async function send(traceId: string): Promise<void> {
  const time = new Date().toISOString();
  await dashboard.send([
    { type: 'span', traceId, spanId: 's', name: `live ${traceId}`, startTime: time, endTime: time, metadata: { region: 'eu' } },
  ]);
}

test('a filter takes several values; metadata and error codes are filters', async () => {
  await openAs('owner', '/traces?range=90d&model=claude-sonnet-4-5-20250929&environment=production');
  const form = page.getByRole('dialog', { name: 'Add filter' });
  const add = async (field: string, value: string) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await form.getByLabel('Field').selectOption(field);
    await form.getByLabel('Value').fill(value);
    await form.getByRole('button', { name: 'Add' }).click();
  };
  await add('Model', 'gpt-4o-2024-08-06');
  await expect.poll(() => values('model')).toEqual(['claude-sonnet-4-5-20250929', 'gpt-4o-2024-08-06']);
  await table().waitFor();
  await page.getByRole('button', { name: 'Remove filter Model claude-sonnet-4-5-20250929' }).click();
  await expect.poll(() => values('model')).toEqual(['gpt-4o-2024-08-06']);
  await add('Metadata', 'no-such-key:1');
  await page.getByText('No matching traces').waitFor();
  await page.goto(dashboard.address('/traces?errorCode=timeout&errorCode=rate_limit'));
  await page.getByRole('button', { name: 'Remove filter Error code timeout' }).waitFor();
});

test('the search box finds a trace by its id, and its row shows the text of its error', async () => {
  await openAs('owner', '/traces');
  await page.getByLabel('Search names, inputs, outputs, errors and IDs').fill(failingTraceId);
  await footer()
    .filter({ hasText: /^1 trace$/ })
    .waitFor();
  const { error } = (
    (await (await page.request.get(`/v1/projects/${dashboard.projectId}/traces?q=${failingTraceId}`)).json()) as {
      traces: Array<{ error: { message: string } }>;
    }
  ).traces[0] ?? { error: { message: 'none' } };
  await table().getByText(error.message.slice(0, 40)).waitFor();
});

test('a bar of the histogram narrows the list to its time', async () => {
  await openAs('owner', '/traces?environment=production');
  await footer().or(page.getByText('Loading more')).first().waitFor();
  const bars = page.getByRole('group', { name: 'Traces over time' }).getByRole('button');
  const labels = await bars.evaluateAll((all) => all.map((bar) => bar.getAttribute('aria-label') ?? ''));
  const counts = labels.map((label) => Number(/: ([\d,]+) trace/.exec(label)?.[1]?.replaceAll(',', '')));
  const smallest = counts.indexOf(Math.min(...counts.filter((count) => count > 0)));
  await bars.nth(smallest).focus();
  await page.keyboard.press('Enter');
  await footer()
    .filter({ hasText: new RegExp(`^${counts[smallest]} traces?$`) })
    .waitFor();
  expect(values('from')).toHaveLength(1);
  await page.goBack();
  await expect.poll(() => values('from')).toEqual([]);
});

test('Live holds new traces back while rows are read', async () => {
  await openAs('owner', '/traces?live=1&range=24h');
  await page.getByText('New traces appear at the top.').waitFor();
  await table().getByRole('row').nth(2).hover();
  const first = () => table().getByRole('row').nth(1).getByRole('link').first().getAttribute('href');
  const before = await first();
  await send('while-reading');
  await page.getByText(/^1 new trace/).waitFor();
  expect(await first()).toBe(before);
  await page.getByRole('heading', { level: 1, name: 'Traces' }).hover();
  await expect.poll(first).toContain('while-reading');
});

test('j and k move through the rows, Enter opens one, and j and k lead to its neighbours', async () => {
  await openAs('owner', '/traces');
  await table().waitFor();
  await settled(page);
  const ids = await table()
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.slice(1, 4).map((row) => decodeURIComponent(row.querySelector('a')?.getAttribute('href')?.split('/').at(-1) ?? '')),
    );
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-rowindex'))).toBe('3');
  await page.keyboard.press('k');
  expect(await page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-rowindex'))).toBe('2');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const opened = () => decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  await expect.poll(opened).toBe(ids[1]);
  await page.getByRole('button', { name: 'Next trace (J)' }).waitFor();
  await page.keyboard.press('j');
  await expect.poll(opened).toBe(ids[2]);
  await page.getByRole('button', { name: 'Previous trace (K)' }).click();
  await expect.poll(opened).toBe(ids[1]);
  await page.goBack();
  await table().waitFor();
  // Without a list, the neighbours follow by start time.
  await page.goto(dashboard.address(`/traces/${encodeURIComponent(ids[1] ?? '')}`));
  await page.getByRole('button', { name: 'Next trace (J)' }).click();
  await expect.poll(opened).toBe(ids[2]);
});

test('? lists the keys, / searches, Esc closes the panel of a span', async () => {
  await openAs('owner', '/traces');
  await table().waitFor();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await keys.getByText('Search this page').waitFor();
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  expect(await focused()).toBe('Search names, inputs, outputs, errors and IDs');
  await page.goto(dashboard.address(`/traces/${failingTraceId}`));
  await page.getByRole('treegrid', { name: 'Spans' }).getByRole('row').first().click();
  await page.getByRole('region', { name: 'Span', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Trace', exact: true }).waitFor();
});

test('the list of sessions does not scroll sideways beside the sidebar', async () => {
  await openAs('owner', '/sessions', { size: narrowSizes[2] });
  await settled(page);
  const list = page.getByRole('group', { name: 'Sessions' });
  const [shown, whole] = await list.evaluate((element) => [element.clientWidth, element.scrollWidth]);
  expect(whole).toBe(shown);
  await page.setViewportSize({ width: 1440, height: 900 });
  await list.getByRole('columnheader', { name: 'Environment' }).waitFor();
});
