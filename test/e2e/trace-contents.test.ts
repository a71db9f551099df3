import { beforeEach, expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard({ shares: true });

const loop = 'contents-loop';
const search = 'contents-search';
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

const turns = Array.from({ length: 80 }, (_, index) =>
  index % 2 === 0
    ? { role: 'user', content: `Question ${index}: what about step ${index}? ${'More words on it. '.repeat(12)}` }
    : { role: 'assistant', content: `Answer ${index}. ${'A reason for it. '.repeat(12)}` },
);
const call = (spanId: string, parentSpanId: string, more: object) => ({
  type: 'span',
  traceId: loop,
  spanId,
  parentSpanId,
  name: 'chat gpt-4.1',
  kind: 'llm',
  model: 'gpt-4.1',
  ...more,
});
const weather = { type: 'function', function: { name: 'weather', description: 'The weather', parameters: { type: 'object' } } };
const documents = [
  { pageContent: 'Refunds take five days.', metadata: { source: 'refunds.md' }, score: 0.8212 },
  { pageContent: 'Returns are free.', metadata: { source: 'returns.md' }, score: 0.5 },
];
const stack = `HTTPError: HTTPError: 404 for /search\n    at fetch (/app/net.js:3:4)\n    at run (/app/main.js:8:1)`;

function events(): object[] {
  const startMs = Date.now() - 60_000;
  const at = (index: number) => ({
    startTime: new Date(startMs + index * 1000).toISOString(),
    endTime: new Date(startMs + index * 1000 + 500).toISOString(),
  });
  const step = (index: number) => ({
    ...call(`i${index}`, 'root', at(10 + index)),
    name: 'poll',
    kind: 'tool',
    model: undefined,
  });
  return [
    { type: 'span', traceId: loop, spanId: 'root', name: 'agent run', kind: 'agent', ...at(0) },
    call('first', 'root', {
      ...at(1),
      input: { messages: turns.slice(0, 78) },
      output: { role: 'assistant', content: 'First.' },
    }),
    call('last', 'root', {
      ...at(30),
      input: { messages: turns, temperature: 0.25, tools: [weather] },
      output: { role: 'assistant', content: '{"verdict":"refund","days":5}' },
    }),
    ...Array.from({ length: 9 }, (_, index) => step(index)),
    {
      type: 'span',
      traceId: search,
      spanId: 'r',
      name: 'search',
      kind: 'retriever',
      ...at(1),
      input: 'refund',
      output: documents,
    },
    {
      type: 'span',
      traceId: search,
      spanId: 'e',
      parentSpanId: 'r',
      name: 'fetch page',
      kind: 'tool',
      ...at(2),
      status: 'error',
      errorCode: 'HTTPError',
      errorMessage: stack,
      output: { embedding: Array.from({ length: 1536 }, (_, index) => index / 7) },
    },
    {
      type: 'span',
      traceId: search,
      spanId: 'long',
      parentSpanId: 'r',
      name: 'read page',
      kind: 'tool',
      ...at(3),
      output: `${'a long line of it\n'.repeat(16_000)}the very end`,
    },
  ];
}

let sent = false;
beforeEach(async () => {
  if (sent) return;
  await dashboard.send(events());
  sent = true;
  await openAs('owner', '/settings/organization');
  for (const traceId of [loop, search]) {
    await expect
      .poll(async () => (await page.request.get(`/v1/projects/${dashboard.projectId}/traces/${traceId}?payloads=none`)).status())
      .toBe(200);
  }
});

const span = () => page.getByRole('region', { name: 'Span', exact: true });
const section = (name: string) => span().getByRole('region', { name, exact: true });

test.each([
  ['a wide', desktop],
  ['a narrow', phone],
])('a trace of 80 messages opens with the call of its output, which is in sight of %s window', async (_, size) => {
  await openAs('owner', `/traces/${loop}`, { size });
  await section('Output').getByText('"verdict"').waitFor();
  await settled(page);
  const { bottom } = await section('Output')
    .getByText('"verdict"')
    .evaluate((element) => element.getBoundingClientRect());
  expect(bottom).toBeLessThan(size.height);
  const height = await section('Output').evaluate((element) => element.parentElement?.scrollHeight ?? 0);
  expect(height).toBeLessThan(4000);
  await section('Input').getByText('2 new since the previous call').waitFor();
  await section('Input').getByRole('button', { name: '78 earlier messages' }).click();
  expect(await section('Input').getByRole('listitem').count()).toBe(80);
  // Each is one line.
  expect(
    await section('Input')
      .getByText('Answer 5.')
      .first()
      .evaluate((element) => element.clientHeight),
  ).toBeLessThan(40);
});

test('the search of the list is marked in the contents, and opens what is folded', async () => {
  await openAs('owner', `/traces/${loop}?q=step%2014%3F`);
  await section('Input').getByText('Question 14:').first().waitFor();
  await span().getByRole('status').getByText('1', { exact: true }).waitFor();
  expect(await page.evaluate(() => globalThis.CSS.highlights.get('found')?.size)).toBe(1);
  await span().getByRole('searchbox', { name: 'Find in content' }).fill('nothing like it');
  await span().getByText('No match').waitFor();
  await section('Input').getByText('Question 14:').waitFor({ state: 'detached' });
});

test('parameters and tools are a section; JSON in a message is shown as JSON', async () => {
  await openAs('owner', `/traces/${loop}`);
  await section('Parameters').getByText('0.25').waitFor();
  await section('Parameters')
    .getByRole('button', { name: /^Tools \(1\)/ })
    .click();
  await section('Parameters').getByText('The weather').waitFor();
  expect(await section('Output').innerText()).toContain('"verdict": "refund"');
  await section('Output').getByRole('button', { name: 'JSON' }).click();
  await section('Output').locator('.cm-line', { hasText: '"days": 5' }).waitFor();
});

test('the arrow keys move at once; equal iterations are folded; the trace itself is the first row', async () => {
  await openAs('owner', `/traces/${loop}`);
  const tree = page.getByRole('treegrid', { name: 'Spans' });
  await tree.getByText('+7 equal').waitFor();
  expect(await tree.getByRole('row').count()).toBe(5);
  await page.keyboard.press('ArrowUp');
  await span().getByRole('heading', { name: 'poll' }).waitFor();
  expect(new URL(page.url()).searchParams.get('span')).toBe('i8');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => tree.getByRole('row').count()).toBe(12);
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('llm');
  await expect.poll(() => tree.getByRole('row').count()).toBe(3);
  await page.getByRole('button', { name: /^Trace scores/ }).click();
  const trace = page.getByRole('region', { name: 'Trace', exact: true });
  await trace.getByText(loop, { exact: true }).waitFor();
  await trace.getByRole('button', { name: 'Copy trace ID' }).waitFor();
  await page.reload();
  await trace.getByText(loop, { exact: true }).waitFor();
});

test('the width of the tree is remembered', async () => {
  await openAs('owner', `/traces/${loop}`);
  const divider = page.getByRole('separator', { name: 'Width of the span tree' });
  await divider.focus();
  for (let times = 0; times < 5; times++) await page.keyboard.press('ArrowLeft');
  await expect.poll(() => divider.getAttribute('aria-valuenow')).toBe('40');
  await page.reload();
  await expect.poll(() => divider.getAttribute('aria-valuenow')).toBe('40');
});

test('documents are cards with their score; a stack trace is folded, and the code is not repeated', async () => {
  await openAs('owner', `/traces/${search}?span=r`);
  await section('Output').getByText('Score 0.8212').waitFor();
  await section('Output').getByText('refunds.md').waitFor();
  await page.goto(dashboard.address(`/traces/${search}?span=e`));
  const error = span().getByRole('note', { name: 'Error' });
  await error.getByText('404 for /search').waitFor();
  expect((await error.innerText()).match(/HTTPError/g)).toHaveLength(1);
  expect(await error.getByText('net.js').count()).toBe(0);
  await error.getByRole('button', { name: 'Stack trace (2 lines)' }).click();
  await error.getByText('at fetch (/app/net.js:3:4)').waitFor();
});

test('a vector is one line; a long text opens at once, and a search leads to its end', async () => {
  await openAs('owner', `/traces/${search}?span=e`);
  await section('Output').locator('.cm-line', { hasText: '… 1,536 numbers]' }).waitFor();
  expect(await section('Output').locator('.cm-line').count()).toBe(3);
  await page.goto(dashboard.address(`/traces/${search}?span=long`));
  await section('Output').getByRole('button', { name: 'Show remaining 286 kB' }).click();
  const text = section('Output').getByRole('group', { name: 'Whole text' });
  expect(await text.evaluate((element) => element.scrollHeight)).toBeGreaterThan(100_000);
  await span().getByRole('searchbox', { name: 'Find in content' }).fill('the very end');
  await text.getByText('the very end').waitFor();
});

test('a click on a row with Ctrl, or with the middle button, opens a new tab', async () => {
  await openAs('owner', '/traces?name=agent%20run');
  const row = page.getByRole('row').filter({ hasText: 'agent run' }).first();
  for (const click of [{ modifiers: ['ControlOrMeta' as const] }, { button: 'middle' as const }]) {
    const [opened] = await Promise.all([page.context().waitForEvent('page'), row.getByRole('cell').nth(3).click(click)]);
    await opened.waitForURL(`**/traces/${loop}*`);
    await opened.close();
  }
  expect(new URL(page.url()).pathname).toMatch(/\/explore$/);
});
