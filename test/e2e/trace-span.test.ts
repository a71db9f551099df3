import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { tripSpans, tripTraceId } from './special-otlp.ts';
import { toolTraceId } from './special-traces.ts';
import { openAs, page, visitDashboard } from './visit.ts';
import { narrowSizes } from './width-faults.ts';

visitDashboard({ shares: true });

const open = (traceId: string, spanId: string, view = '') =>
  openAs('owner', `/traces/${traceId}?span=${spanId}${view === '' ? '' : `&view=${view}`}`);

const openSpan = () => new URL(page.url()).searchParams.get('span');
const heading = (name: string) => page.getByRole('region', { name: 'Span', exact: true }).getByRole('heading', { name });
const rowOf = (field: string) =>
  page
    .getByRole('table', { name: 'Field mapping' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: field, exact: true }) });

/** Whether an element is inside the visible area of its scroll container. */
function inSight(locator: Locator, scroller: string): Promise<boolean> {
  return locator.evaluate((element, selector) => {
    const around = element.closest(selector)?.getBoundingClientRect();
    const own = element.getBoundingClientRect();
    return around !== undefined && own.top >= around.top && own.bottom <= around.bottom;
  }, scroller);
}

test('the mapping names convention and attribute of each field, and links to the attribute', async () => {
  await open(tripTraceId, tripSpans.plan);
  await page.getByRole('tab', { name: 'Mapping' }).click();
  await rowOf('model').getByText('gen_ai', { exact: true }).waitFor();
  expect(await rowOf('model').innerText()).toContain('gpt-4o-2024-08-06');
  expect(await rowOf('usage.cachedTokens').innerText()).toContain('OpenInference');
  expect(await rowOf('userId').innerText()).toContain('Vercel AI');
  expect(await rowOf('costUsd').innerText()).toContain('priced');
  expect(await rowOf('input').getByRole('button').allInnerTexts()).toEqual([
    'gen_ai.input.messages',
    'gen_ai.system_instructions',
  ]);
  expect(new URL(page.url()).searchParams.get('view')).toBe('mapping');
  await rowOf('usage.cachedTokens').getByRole('button', { name: 'llm.token_count.prompt_details.cache_read' }).click();
  const attributes = page.getByRole('region', { name: 'Attributes', exact: true });
  const line = attributes.locator('.cm-line', { hasText: '"llm.token_count.prompt_details.cache_read": 128' });
  await line.waitFor();
  await expect.poll(() => inSight(line, '.cm-scroller')).toBe(true);
  await expect.poll(() => attributes.locator('.cm-selectionBackground').count()).toBeGreaterThan(0);
  await expect
    .poll(() =>
      attributes.locator('.cm-content').evaluate((element) => (element.getRootNode() as ShadowRoot).activeElement === element),
    )
    .toBe(true);
});

test('the mapping links to the resource, to an event, and to the ancestor of an inherited field', async () => {
  await open(tripTraceId, tripSpans.trains, 'mapping');
  await rowOf('environment').getByRole('button', { name: 'resource deployment.environment.name' }).click();
  const resource = page.getByRole('region', { name: 'Resource' });
  await resource.locator('.cm-line', { hasText: '"deployment.environment.name": "production"' }).waitFor();
  await page.getByRole('tab', { name: 'Mapping' }).click();
  await rowOf('errorCode').getByRole('button', { name: 'event exception' }).click();
  await page.getByRole('region', { name: 'Events' }).locator('.cm-line', { hasText: '"name": "exception"' }).waitFor();
  await page.getByRole('tab', { name: 'Mapping' }).click();
  await rowOf('agentName').getByText('inherited').waitFor();
  await rowOf('agentName').getByRole('button').click();
  await heading('invoke_agent trip planner').waitFor();
  expect(openSpan()).toBe(tripSpans.agent);
  await rowOf('agentName').getByRole('button', { name: 'agent.name' }).waitFor();
});

test('the mapping of a native span names the sent fields', async () => {
  await open(toolTraceId, 'answer', 'mapping');
  await rowOf('model').getByText('sent', { exact: true }).waitFor();
  expect(await rowOf('usage.cachedTokens').innerText()).toContain('sent');
  expect(await rowOf('costUsd').innerText()).toMatch(/priced\s+field model/);
});

test('a tool call shows its result and its span, which links back to the call', async () => {
  await open(tripTraceId, tripSpans.plan);
  const output = page.getByRole('region', { name: 'Output' });
  const weather = output.getByRole('group', { name: 'Tool call weather' });
  await weather.getByText('Result (from the next call)').waitFor();
  await weather.getByText('"rain_mm": 0.4').waitFor();
  await weather.getByText('480ms').waitFor();
  const trains = output.getByRole('group', { name: 'Tool call trains' });
  await trains.getByText('"error": "timetable is closed"').waitFor();
  await trains.getByText('Failed: TimetableClosed: The timetable is closed at night.').waitFor();
  await trains.getByRole('button', { name: 'trains.tool' }).click();
  await heading('trains.tool').waitFor();
  expect(openSpan()).toBe(tripSpans.trains);
  await page.getByText('Requested by').waitFor();
  await page.getByRole('region', { name: 'Span', exact: true }).getByRole('button', { name: 'chat gpt-4o' }).click();
  await heading('chat gpt-4o').waitFor();
  expect(openSpan()).toBe(tripSpans.plan);
});

test('a call repeated in a later input links to its span', async () => {
  await open(tripTraceId, tripSpans.answer);
  const weather = page.getByRole('region', { name: 'Input' }).getByRole('group', { name: 'Tool call weather' });
  await weather.getByText('"rain_mm": 0.4').waitFor();
  await weather.getByRole('button', { name: 'execute_tool weather' }).click();
  await heading('execute_tool weather').waitFor();
  expect(openSpan()).toBe(tripSpans.weather);
});

test('a tool span without a call ID is matched by name', async () => {
  await open(toolTraceId, 'plan');
  await page.getByRole('region', { name: 'Output' }).getByRole('button', { name: 'execute_tool forecast' }).click();
  await page.getByText('Requested by').waitFor();
  expect(openSpan()).toBe('tool');
});

test('in a narrow window the tree of a trace is above the detail, each as wide as the window', async () => {
  await openAs('owner', `/traces/${toolTraceId}?span=answer`, { size: narrowSizes[0] });
  await settled(page);
  const tree = await page.getByRole('treegrid', { name: 'Spans' }).boundingBox();
  const detail = await page.getByRole('region', { name: 'Span', exact: true }).boundingBox();
  expect(tree?.width).toBe(narrowSizes[0].width);
  expect(detail?.width).toBe(narrowSizes[0].width);
  expect(detail?.y).toBeGreaterThanOrEqual((tree?.y ?? 0) + (tree?.height ?? 0));
});
