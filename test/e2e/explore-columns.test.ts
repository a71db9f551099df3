import { expect, test } from 'vitest';
import { noProblems, problemsInBoth } from './axe.ts';
import { settled } from './dashboard.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

// The columns of Explore.

visitDashboard({ shares: true });

const values = (name: string) => new URL(page.url()).searchParams.getAll(name);

test('columns are chosen, ordered and sized by keys, and kept in the URL', async () => {
  await openAs('viewer', '/explore?on=spans');
  await page.getByRole('table', { name: 'Calls' }).waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  const columns = page.getByRole('dialog', { name: 'Columns' });
  await columns.getByRole('checkbox', { name: /^helpfulness/ }).check();
  expect(await problemsInBoth(page)).toEqual(noProblems);
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
  await settled(page);
  const box = (await head.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(box.x + box.width - 2, box.y + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width + 58, box.y + 12, { steps: 3 });
  await page.mouse.up();
  const width = () => Number(/^models~(\d+)$/.exec(values('columns').find((text) => text.startsWith('models')) ?? '')?.[1]);
  await expect.poll(width).toBeGreaterThan(box.width + 50);
});

test.each([
  ['traces', 'Traces', '/explore'],
  ['calls', 'Calls', '/explore?on=spans'],
])('keys of metadata are columns of %s, kept in the URL', async (on, label, path) => {
  const time = new Date().toISOString();
  const run = `columns-${on}`;
  await dashboard.send(
    [{ tenant: { id: 'acme' }, seats: [1, 2] }, { tenant: { id: 'zeta' } }, null].map((metadata, index) => ({
      type: 'span',
      traceId: `${run}-${index}`,
      spanId: 's',
      name: `row ${index}`,
      release: run,
      startTime: time,
      endTime: time,
      ...(metadata && { metadata }),
    })),
  );
  const listed = `/v1/projects/${dashboard.projectId}/traces?release=${run}`;
  await openAs('viewer', '/start');
  await expect.poll(async () => (await (await page.request.get(listed)).text()).match(/"traceId"/g)?.length).toBe(3);
  const filter = `filter=release:${run}`;
  await page.goto(dashboard.address(`${path}${path.includes('?') ? '&' : '?'}${filter}&columns=name&columns=latency`));
  const table = page.getByRole('table', { name: label });
  const cells = async (column: string) => {
    const heads = await table.getByRole('columnheader').allInnerTexts();
    const place = heads.indexOf(column) + 1;
    const rows = await table.locator(`tbody td:nth-child(2), tbody td:nth-child(${place})`).allInnerTexts();
    return Object.fromEntries(rows.flatMap((text, index) => (index % 2 === 0 ? [[text, rows[index + 1]]] : [])));
  };
  await table.waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  const columns = page.getByRole('dialog', { name: 'Columns' });
  // An object has no value: its keys are offered.
  await columns.getByLabel('Search columns and keys').fill('TENANT');
  await expect.poll(() => columns.getByRole('checkbox').count()).toBe(3);
  await columns.getByRole('checkbox', { name: 'tenant.id' }).check();
  await columns.getByLabel('Search columns and keys').fill('latency');
  await columns.getByRole('button', { name: 'Add key' }).press('Enter');
  await columns.getByRole('alert').waitFor();
  await columns.getByLabel('Search columns and keys').fill('metadata.seats');
  await columns.getByLabel('Search columns and keys').press('Enter');
  // Before the figures.
  await expect.poll(() => values('columns')).toEqual(['name', 'metadata.tenant.id', 'metadata.seats', 'latency']);
  await page.keyboard.press('Escape');
  await expect.poll(() => cells('tenant.id')).toEqual({ 'row 0': 'acme', 'row 1': 'zeta', 'row 2': '–' });
  await page.reload();
  await expect.poll(() => cells('seats')).toEqual({ 'row 0': expect.stringMatching(/^1\s*\+1$/), 'row 1': '–', 'row 2': '–' });
  // One that cannot be read takes no list away.
  await page.goto(`${page.url()}&columns=metadata.%29`);
  await expect.poll(() => cells('tenant.id')).toEqual({ 'row 0': 'acme', 'row 1': 'zeta', 'row 2': '–' });
});
