import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { hostilePrompt } from './special-prompts.ts';
import { hostileName, hostileTraceId } from './special-traces.ts';
import { complaints, dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard({ shares: true });

const encoded = encodeURIComponent(hostileName);

test.each([
  ['the overview', ''],
  ['the list of traces', '/traces?hide='],
  ['the trace', `/traces/${hostileTraceId}`],
  ['the span', `/traces/${hostileTraceId}?span=call`],
  ['the list of sessions', '/sessions'],
  ['the session', `/sessions/${encoded}`],
  ['the list of models', '/models'],
  ['the model', `/models/${encoded}`],
  ['the list of datasets', '/datasets'],
  ['a dataset', '/datasets/{hostileDataset}'],
  ['the list of prompts', '/prompts'],
  ['a prompt', `/prompts/${encodeURIComponent(hostilePrompt)}`],
  ['two versions of a prompt', `/prompts/${encodeURIComponent(hostilePrompt)}?view=compare`],
  ['the editor of a prompt', `/prompts/${encodeURIComponent(hostilePrompt)}/new-version?base=1`],
  ['the list of policies', '/policies'],
  ['a revision of policies', '/policies?view=revisions&revision=8'],
  ['the list of environments', '/environments'],
  ['a filter', `/traces?model=${encoded}&q=${encoded}`],
  ['the list of calls', '/explore?on=spans'],
  ['a trace beside the list', `/explore?peek=${hostileTraceId}&span=call`],
])('%s shows hostile text as text', async (_what, path) => {
  await openAs('owner', path);
  await settled(page);
  expect(complaints).toEqual([]);
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
  expect(await page.locator('img[src="x"]').count()).toBe(0);
  expect(await page.locator('body script').count()).toBeLessThanOrEqual(1);
  const text = (await page.locator('body').innerText()) + (await page.title());
  expect(text).toContain('<img src=x');
  // Control characters and bidirectional controls are shown by name.
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u001B\u202A-\u202E\u2066-\u2069]/);
});

test('every view of a span shows hostile text as text', async () => {
  await openAs('owner', `/traces/${hostileTraceId}?span=call`);
  await settled(page);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('textbox', { name: 'Output' }).waitFor();
  for (const view of ['Attributes', 'Mapping', 'Raw']) {
    await page.getByRole('tab', { name: view }).click();
    await settled(page);
  }
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
  expect(complaints).toEqual([]);
});

test('names of white space only are visible and clickable', async () => {
  const now = new Date().toISOString();
  const names = { name: '   ', model: '\u3164', provider: ' ', agentName: ' ', sessionId: ' ' };
  await dashboard.send([
    { type: 'span', traceId: 'blank-trace', spanId: 'call', kind: 'llm', startTime: now, endTime: now, ...names },
  ]);
  await openAs('owner', '/start');
  const reads = () => page.request.get(`/v1/projects/${dashboard.projectId}/traces/blank-trace`);
  await expect.poll(async () => (await reads()).status()).toBe(200);
  await page.goto(dashboard.address('/traces'));
  await page.getByRole('link', { name: '⟨U+0020 × 3⟩' }).click();
  await page.getByRole('link', { name: 'Open trace' }).click();
  await page.getByRole('heading', { level: 1, name: '⟨U+0020 × 3⟩' }).waitFor();
  expect(await page.title()).toBe('⟨U+0020 × 3⟩ · Spanwise');
  await page.getByRole('row').filter({ hasText: '⟨U+0020 × 3⟩' }).click();
  await page.getByRole('region', { name: 'Span' }).getByRole('link', { name: '⟨U+3164⟩' }).click();
  await page.getByRole('heading', { level: 1, name: '⟨U+3164⟩' }).waitFor();
});

test('long names stay inside of menus and dialogs', async () => {
  await openAs('owner', '/start');
  await page.route(/\/v1\/(auth\/session|organizations\/[^/]+\/members\?.*)$/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/"name":"[^"]*"/g, `"name":"${'W'.repeat(200)}"`);
    await route.fulfill({ response, body });
  });
  await page.goto(dashboard.address('/settings/members'));
  const fits = (role: 'dialog' | 'menu') =>
    page.getByRole(role).evaluate((box) => box.scrollWidth <= box.clientWidth && box.getBoundingClientRect().right <= innerWidth);
  await page.getByRole('button', { name: 'Remove W' }).first().click();
  expect(await fits('dialog')).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Project W' }).click();
  expect(await fits('menu')).toBe(true);
});
