import { describe, expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { cardsSlug } from './special-guardrails.ts';
import { dashboard, intercept, openAs, page, visitDashboard } from './visit.ts';

// Time ranges, charts and figures of the overview and the pages of models.

visitDashboard({ shares: true });

const model = 'gpt-4o-2024-08-06';
const overviewRequest = () => page.waitForRequest(/\/overview\?/);

test('an unknown time range is named until another is chosen; 24 hours have a row an hour', async () => {
  await openAs('owner', '?range=banana');
  const notice = page.getByText('Unknown time range “banana”. Showing: Last 30 days.');
  await notice.waitFor();
  await page.getByRole('heading', { name: /^Daily calls/ }).waitFor();
  await page.getByRole('button', { name: /^Time range/ }).click();
  const asked = overviewRequest();
  await page.getByRole('menuitem', { name: 'Last 24 hours' }).click();
  expect(new URL((await asked).url()).search).toMatch(/^\?from=\d{4}-\d\d-\d\dT\d\d%3A00%3A00\.000Z&interval=hour$/);
  await page.getByRole('heading', { name: /^Hourly calls/ }).waitFor();
  expect(await notice.count()).toBe(0);
  expect(new URL(page.url()).search).toBe('?range=24h');
});

test.each(['', '/models', `/models/${model}`, '/outcomes', '/prompts/support%2Ftriage?view=metrics'])(
  'free dates: %s',
  async (path) => {
    await openAs('owner', path);
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByRole('menuitem', { name: 'Custom range' }).click();
    const start = Date.now() - 5 * 86_400_000;
    await page.getByLabel('From', { exact: true }).fill(new Date(start).toISOString().slice(0, 16));
    await page.getByLabel('To', { exact: true }).fill(new Date(start + 86_400_000).toISOString().slice(0, 16));
    const asked = page.waitForRequest(/[?&]from=.*&to=/);
    await page.getByRole('button', { name: 'Apply' }).click();
    expect((await (await asked).response())?.status()).toBe(200);
    await page.getByRole('button', { name: 'Time range: custom' }).waitFor();
  },
);

const rangeChoices = [
  'Last hour',
  'Last 24 hours',
  'Last 7 days',
  'Last 30 days',
  'Last 90 days',
  'Today',
  'Yesterday',
  'Custom range',
];

test('every other page with a time range takes free dates, and 24 hours and more from its menu', async () => {
  await openAs('owner', '/settings/organization');
  const endMs = Date.now();
  const dates = { from: new Date(endMs - 5 * 86_400_000).toISOString(), to: new Date(endMs).toISOString() };
  for (const path of ['/traces', '/sessions', '/annotation', '/graph', '/changes', '/incidents', `/guardrails/${cardsSlug}`]) {
    const dated = page.waitForResponse(/\/v1\/.*[?&]from=/);
    await page.goto(dashboard.address(`${path}?${new URLSearchParams(dates)}`));
    expect((await dated).status(), path).toBe(200);
    await page.getByRole('button', { name: 'Time range: custom' }).click();
    expect(await page.getByRole('menuitem').allInnerTexts(), path).toEqual(rangeChoices);
    const asked = page.waitForResponse(/\/v1\/.*[?&]from=/);
    await page.getByRole('menuitem', { name: 'Last 24 hours' }).click();
    expect((await asked).status(), path).toBe(200);
    await page.getByRole('button', { name: 'Time range: Last 24 hours' }).waitFor();
  }
});

describe('a change of the time range', () => {
  test.each([
    ['', 'overview', 'table', 'Models'],
    ['/models', 'models', 'table', 'Models'],
    ['/models/gpt-4o-2024-08-06', 'models/gpt-4o-2024-08-06', 'table', 'Compared with other models'],
  ] as const)('keeps the previous data visible while loading: %s', async (path, asked, role, name) => {
    await openAs('owner', path);
    const shown = page.getByRole(role, { name, exact: true });
    await shown.waitFor();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const address = `**/v1/projects/*/${asked}?range=7d`;
    await intercept(address, async (route) => {
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

test('a custom range keeps the ends that are not edited, to the millisecond and in the hour that clocks repeat', async () => {
  const edited = async (range: string, from?: string) => {
    await openAs('viewer', `/traces?${range}`);
    await page.getByRole('button', { name: 'Time range: custom' }).click();
    await page.getByRole('menuitem', { name: 'Custom range' }).click();
    const dialog = page.getByRole('dialog', { name: 'Custom range' });
    if (from !== undefined) await dialog.getByLabel('From').fill(from);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { searchParams } = new URL(page.url());
    return [searchParams.get('from'), searchParams.get('to')];
  };
  const [start, end] = ['2026-11-26T00:00:00.000Z', '2026-11-26T23:59:59.999Z'];
  expect(await edited(`from=${start}&to=${end}`, '2026-11-26T02:30')).toEqual(['2026-11-26T01:30:00.000Z', end]);
  const [second, after] = ['2026-10-25T01:30:00.000Z', '2026-10-25T02:30:00.000Z'];
  expect(await edited(`from=${second}&to=${after}`)).toEqual([second, after]);
});

test('error rate and p95 are shown over time, by model and for all calls', async () => {
  await openAs('owner', '');
  for (const title of ['Error rate', 'Latency p95']) {
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: new RegExp(`^${title}`) }) });
    await card.getByRole('button', { name: 'Show as table' }).click();
    const columns = card.getByRole('table', { name: title }).getByRole('columnheader');
    await expect.poll(() => columns.allTextContents()).toEqual(expect.arrayContaining(['Day (UTC)', model, 'All calls']));
  }
});

test('a bar opens its traces: of its day, and of the model', async () => {
  await openAs('owner', `/models/${model}?range=7d`);
  const chart = page.getByRole('img', { name: /^Chart: Daily calls/ });
  await settled(page);
  const box = await chart.boundingBox();
  await chart.click({ position: { x: (box?.width ?? 0) - 30, y: 60 } });
  await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
  const search = Object.fromEntries(new URL(page.url()).searchParams);
  const today = new Date().toISOString().slice(0, 10);
  expect(search).toEqual({ from: `${today}T00:00:00.000Z`, to: `${today}T23:59:59.999Z`, filter: `model:${model}` });
});

test('from the keyboard, the rows of a table open the traces; failed ones where errors are shown', async () => {
  await openAs('owner', `/models/${model}?range=7d`);
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: /^Error rate/ }) });
  await card.getByRole('button', { name: 'Show as table' }).click();
  await card
    .getByRole('button', { name: /^View traces of/ })
    .first()
    .press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
  expect(new URL(page.url()).searchParams.get('filter')).toBe(`model:${model} status:error`);
});

test('the figures of a model are in groups', async () => {
  await openAs('owner', `/models/${model}`);
  for (const [group, figure] of [
    ['Traffic', 'Error rate'],
    ['Cost', 'Per successful call'],
    ['Latency', 'p99'],
    ['Quality', 'Pass rate'],
    ['Quality', 'Passed'],
    ['Quality', 'Failed'],
    ['Use', 'Agents'],
    ['Use', 'Operations'],
  ] as const) {
    const term = page.getByRole('region', { name: group, exact: true }).getByRole('term').filter({ hasText: figure });
    await term.waitFor();
  }
});

test('figures are short, with the exact value in the tooltip', async () => {
  await openAs('owner', '/models');
  const row = page.getByRole('row').filter({ hasText: model });
  await row.waitFor();
  // Units stand directly after their numbers: 1.1%, 11K, 840ms.
  expect(await row.innerText()).toMatch(/\d(?:%|ms|s)/);
  expect(await row.innerText()).not.toMatch(/\d (?:[%kM]|ms|s)(?!\w)/);
  const costs = row.locator('[title^="$"]');
  expect(await costs.count()).toBeGreaterThan(0);
  for (const [text, title] of await costs.evaluateAll((cells) =>
    cells.map((cell) => [cell.textContent, cell.getAttribute('title')]),
  )) {
    expect(text?.replace(/^[<$]+0?\.?0*/, '').replaceAll(/\D/g, '').length).toBeLessThanOrEqual(3);
    expect(title).toMatch(/^\$\d/);
  }
  await page.getByRole('row').filter({ hasText: 'acme/llama-3.3-70b-support-ft' }).getByText('unpriced').first().waitFor();
  expect(await page.getByText('+?').count()).toBe(0);
});

test('small amounts, large counts and times are short, with the exact value on hover', async () => {
  // The start of the UTC day is an hour of one digit in Amsterdam.
  const startMs = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  await dashboard.send([
    {
      type: 'span',
      traceId: 'exact-figures',
      spanId: 'call',
      name: 'exact figures',
      kind: 'llm',
      model: 'm',
      startTime: new Date(startMs).toISOString(),
      endTime: new Date(startMs + 1234).toISOString(),
      usage: { inputTokens: 16_512_345, outputTokens: 11_012 },
      costUsd: 1.8e-7,
    },
  ]);
  await openAs('owner', '/settings/organization');
  const stored = `/v1/projects/${dashboard.projectId}/traces/exact-figures`;
  await expect.poll(async () => (await page.request.get(stored)).status()).toBe(200);
  await page.goto(dashboard.address('/traces/exact-figures'));
  const main = page.getByRole('main');
  for (const [text, exact] of [
    ['<$0.0001', '$0.00000018'],
    ['16.5M', '16,512,345'],
    ['11K', '11,012'],
    ['1.2s', '1,234 ms'],
  ] as const) {
    const figure = main.locator(`span[title="${exact}"]`).first();
    await figure.waitFor();
    expect(await figure.innerText()).toBe(text);
  }
  // The reader's locale is en-GB, and the zone Amsterdam's.
  const time = main.locator('time').first();
  expect(await time.innerText()).toMatch(/^\d{1,2} [A-Z][a-z]+, 0[12]:00$/);
  expect(await time.getAttribute('title')).toMatch(/^\d{1,2} [A-Z][a-z]+ \d{4}, 0[12]:00:00 (?:CEST|CET|GMT\+[12]) · .* UTC$/);
});

test('the light of the sidebar follows without a reload: green while spans arrive, and not once they stop', async () => {
  const startTime = new Date().toISOString();
  await dashboard.send([{ type: 'span', traceId: 'just-now', spanId: 'a', name: 'just now', startTime }]);
  await openAs('owner', '/models', { alone: true });
  await page.clock.install();
  const early = new Date(Date.now() - 40 * 60_000).toISOString();
  await page.route('**/ingest-health', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), status: 'stale', lastSpanAt: early } });
  });
  await page.goto(dashboard.address('/models'));
  const status = page.getByRole('link', { name: /Receiving|Last span/ });
  const light = status.locator('span').first();
  await status.waitFor();
  expect(await status.innerText()).toMatch(/^Last span 40m ago/);
  expect(await light.getAttribute('class')).not.toContain('bg-good');
  await page.unroute('**/ingest-health');
  await page.clock.fastForward('00:30');
  await expect.poll(() => status.innerText()).toMatch(/^Receiving/);
  expect(await light.getAttribute('class')).toContain('bg-good');
  await page.clock.fastForward('14:00');
  await expect.poll(() => status.innerText()).toMatch(/^Last span 1\dm ago/);
  expect(await light.getAttribute('class')).not.toContain('bg-good');
});

test('a failed page follows once the service is back', async () => {
  await openAs('owner', '/models', { alone: true });
  await page.clock.install();
  await page.goto(dashboard.address('/models'));
  await page.getByRole('row').filter({ hasText: model }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: /^Time range/ }).click();
  await page.getByRole('menuitem', { name: 'Last 90 days' }).click();
  await expect
    .poll(async () => {
      await page.clock.fastForward('00:05');
      return page.getByText('Not connected').count();
    })
    .toBe(1);
  await page.context().setOffline(false);
  await expect
    .poll(async () => {
      await page.clock.fastForward('00:05');
      return page.getByRole('row').filter({ hasText: model }).count();
    })
    .toBe(1);
  expect(await page.getByText("Can't reach Spanwise").count()).toBe(0);
});

test('the set-up page names compression beside the batch size', async () => {
  await openAs('owner', '/start?way=opentelemetry');
  const variables = await page.getByLabel('Exporter environment variables', { exact: true }).innerText();
  expect(variables).toMatch(/BATCH_SIZE=512\nexport OTEL_EXPORTER_OTLP_COMPRESSION=gzip/);
  expect(await page.getByLabel('Collector configuration', { exact: true }).innerText()).toContain('compression: gzip');
});

test('the number of rejected events leads to their reasons', async () => {
  const refused = await fetch(`${dashboard.service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': dashboard.service.apiKey, 'content-type': 'application/x-ndjson' },
    body: '{"type":"span","traceId":"t"}',
  });
  expect(refused.status).toBe(400);
  await openAs('owner', '/models');
  const status = page.getByRole('link', { name: /1 rejected/ });
  const isCut = ({ scrollWidth, clientWidth }: HTMLElement) => scrollWidth > clientWidth;
  expect(await status.getByText(/^(?:Receiving|Last span)/).evaluate(isCut as (element: Element) => boolean)).toBe(false);
  await status.click();
  await page.getByRole('link', { name: '1 rejected', exact: true }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe('#rejections');
  const reasons = page.getByRole('table', { name: 'Rejected in the last hour' });
  expect(await reasons.getByRole('row').nth(1).innerText()).toMatch(/spanId is required/);
});

test('the traces of a session are those of its time', async () => {
  await openAs('owner', '/sessions?range=90d');
  await page.getByRole('table', { name: 'Sessions' }).getByRole('row').last().getByRole('link').first().click();
  // The times are in the link once the session is loaded.
  const traces = page.getByRole('link', { name: 'View traces' });
  await expect.poll(() => traces.getAttribute('href')).toContain('from=');
  await traces.click();
  await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
  const { from = '', to = '', filter } = Object.fromEntries(new URL(page.url()).searchParams);
  expect(filter).toMatch(/^session:./);
  // Equal for a session of one trace without a duration.
  expect(Date.parse(from)).toBeLessThanOrEqual(Date.parse(to));
});
