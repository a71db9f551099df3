import { beforeEach, expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard({ shares: true });

const traceId = 'heavy-trace';
const spanCount = 40;
const input = (index: number) => `Question ${index}: ${'a long payload '.repeat(1_300)}`;
let sent = false;
/** Bytes of each response with JSON, by path without the project. */
let received: Array<{ path: string; bytes: number }>;

beforeEach(async () => {
  if (!sent) {
    const startMs = Date.now() - 60_000;
    await dashboard.send(
      Array.from({ length: spanCount }, (_, index) => ({
        type: 'span',
        traceId,
        spanId: `s${index}`,
        ...(index === 0 ? {} : { parentSpanId: 's0' }),
        name: `step ${index}`,
        kind: index === 0 ? 'agent' : 'chain',
        startTime: new Date(startMs + index).toISOString(),
        endTime: new Date(startMs + 1000).toISOString(),
        input: input(index),
      })),
    );
    sent = true;
  }
  await openAs('owner', '/settings/organization');
  await settled(page);
  await expect
    .poll(async () => (await page.request.get(`/v1/projects/${dashboard.projectId}/traces/${traceId}?payloads=none`)).status())
    .toBe(200);
  received = [];
  page.on('response', async (response) => {
    const path = response.url().split(`${dashboard.projectId}/`)[1];
    if (path?.startsWith('traces/') !== true) return;
    const body = await response.body().catch(() => null);
    if (body) received.push({ path, bytes: body.length });
  });
});

const bytesOf = (start: string) =>
  received.filter(({ path }) => path.startsWith(`traces/${start}`)).reduce((sum, { bytes }) => sum + bytes, 0);

test('a trace page loads previews, and the payload of a span when it is selected', async () => {
  await page.goto(dashboard.address(`/traces/${traceId}`));
  await page.getByRole('region', { name: 'Input' }).getByText('Question 0:').waitFor();
  await settled(page);
  // 40 payloads of 20 kB, of which only that of the first span is shown, and 40 previews.
  expect(bytesOf(traceId)).toBeLessThan(3 * input(0).length);
  await page.getByRole('treegrid', { name: 'Spans' }).getByText('step 7').click();
  await page.getByRole('region', { name: 'Input' }).getByText('Question 7:').waitFor();
  await settled(page);
  // A body is read after its response.
  await expect.poll(() => bytesOf(`${traceId}/spans`)).toBeGreaterThan(input(7).length);
  // Besides it, that of the span with which the trace opened.
  expect(bytesOf(`${traceId}/spans`)).toBeLessThan(3 * input(7).length);
  await page.getByRole('tab', { name: 'Raw' }).click();
  await page.getByText('"Question 7: a long').waitFor();
});

test('spans are filtered by the beginning of their input', async () => {
  await page.goto(dashboard.address(`/traces/${traceId}`));
  await page.getByLabel('Filter spans').fill('question 31');
  await page
    .getByText(`2 of ${spanCount}`)
    .or(page.getByText(`1 of ${spanCount}`))
    .waitFor();
  expect(await page.getByRole('treegrid', { name: 'Spans' }).getByText('step 31').isVisible()).toBe(true);
});

test('the payloads of model calls are loaded once, also when a neighbour is selected', async () => {
  const now = new Date().toISOString();
  const calls = ['first', 'second', 'third'].map((spanId) => ({
    type: 'span',
    traceId: 'calls-trace',
    spanId,
    name: `call ${spanId}`,
    kind: 'llm',
    startTime: now,
    endTime: now,
    input: `Question of the ${spanId}`,
  }));
  await dashboard.send(calls);
  await expect
    .poll(async () => (await page.request.get(`/v1/projects/${dashboard.projectId}/traces/calls-trace?payloads=none`)).status())
    .toBe(200);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/traces/calls-trace/spans')) asked.push(...searchParams.getAll('spanId'));
  });
  await page.goto(dashboard.address('/traces/calls-trace?span=second'));
  for (const spanId of ['second', 'first', 'third', 'second']) {
    await page.getByRole('treegrid', { name: 'Spans' }).getByText(`call ${spanId}`).click();
    await page.getByRole('region', { name: 'Input' }).getByText(`Question of the ${spanId}`).waitFor();
    await settled(page);
  }
  expect(asked.toSorted()).toEqual(['first', 'second', 'third']);
});
