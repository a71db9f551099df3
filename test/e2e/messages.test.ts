import { beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { settled } from './dashboard.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard({ shares: true });

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const answer = [
  '# Weather',
  '',
  'Take an **umbrella**, [see more](https://example.com/weather) or [not](javascript:alert(1)).',
  '',
  '| day | rain |',
  '|---|---|',
  '| Sunday | 7 mm |',
  '',
  '```python',
  'print("<b>rain</b>")',
  '```',
  '',
  '<img src=x onerror="globalThis.hacked=1"> and ![chart](https://tracker.example/p.png)',
  '',
  `![inline](${pixel})`,
].join('\n');
const long = Array.from(
  { length: 9_000 },
  (_, index) => `- **item ${index}** of a list with \`code\` and [a](https://example.com/${index})`,
).join('\n');

beforeAll(async () => {
  const time = new Date().toISOString();
  const span = { type: 'span', name: 'chat', kind: 'llm', model: 'm', startTime: time, endTime: time };
  await dashboard.send([
    { ...span, traceId: 'markdown', spanId: 's', output: [{ role: 'assistant', content: answer }] },
    { ...span, traceId: 'long-markdown', spanId: 's', output: [{ role: 'assistant', content: long }] },
  ]);
  const reader = await dashboard.open();
  for (const id of ['markdown', 'long-markdown']) {
    const path = `/v1/projects/${dashboard.projectId}/traces/${id}?payloads=none`;
    await until(`${id} can be read`, async () => (await reader.request.get(path)).status() === 200);
  }
  await reader.context().close();
});

test('a message is rendered as Markdown: no HTML, no script links, nothing loaded from elsewhere', async () => {
  await openAs('owner', '/start');
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(dashboard.service.url) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  await page.goto(dashboard.address('/traces/markdown?span=s'));
  const output = page.getByRole('region', { name: 'Output', exact: true });
  await output.locator('strong', { hasText: 'umbrella' }).waitFor();
  await output.getByRole('cell', { name: '7 mm' }).waitFor();
  await output.locator('pre code', { hasText: 'print("<b>rain</b>")' }).waitFor();
  expect(await output.getByRole('link', { name: 'see more' }).getAttribute('rel')).toBe('noopener noreferrer nofollow');
  expect(await output.getByRole('link', { name: 'not', exact: true }).count()).toBe(0);
  // A remote image is a link; one in the text itself is shown.
  expect(await output.getByRole('link', { name: 'chart' }).getAttribute('href')).toBe('https://tracker.example/p.png');
  // An image is decoded after it stands in the document.
  const inline = output.getByRole('img', { name: 'inline' });
  await expect.poll(() => inline.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  expect(await output.locator('img').count()).toBe(1);
  await output.getByText('<img src=x onerror="globalThis.hacked=1">').waitFor();
  await settled(page);
  expect(foreign).toEqual([]);
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
});

test('the switch shows plain text, and is remembered', async () => {
  await openAs('owner', '/traces/markdown?span=s');
  const output = page.getByRole('region', { name: 'Output', exact: true });
  await output.locator('strong', { hasText: 'umbrella' }).waitFor();
  await output.getByRole('button', { name: 'Plain' }).click();
  await output.getByText('Take an **umbrella**').waitFor();
  expect(await output.locator('strong').count()).toBe(0);
  await page.reload();
  await output.getByText('Take an **umbrella**').waitFor();
  await output.getByRole('button', { name: 'Rendered' }).click();
  await output.locator('strong', { hasText: 'umbrella' }).waitFor();
});

test('a message of 1 MB is shown in steps', async () => {
  await openAs('owner', '/traces/long-markdown?span=s');
  const output = page.getByRole('region', { name: 'Output', exact: true });
  const show = output.getByRole('button', { name: 'Show', exact: true });
  await show.or(output.getByText('item 0')).first().waitFor();
  if (await show.isVisible()) await show.click();
  await output.getByText('item 0').first().waitFor();
  expect((await output.getByRole('listitem').first().innerText()).length).toBeLessThan(10_000);
});
