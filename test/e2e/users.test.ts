import { expect, test } from 'vitest';
import { toolTraceId } from './special-traces.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

// The users of the application, and two traces side by side.

visitDashboard({ shares: true });

const table = (name: string) => page.getByRole('table', { name, exact: true });

test('the list of users is searched and sorted, and opens the page of one', async () => {
  await openAs('viewer', '/users?range=7d');
  await table('Users').getByRole('row').nth(1).waitFor();
  const sorted = page.waitForRequest(/\/users\?range=7d&sort=-traces&/);
  await page.getByRole('button', { name: 'Traces', exact: true }).click();
  await sorted;
  await page.getByRole('searchbox', { name: 'Search user IDs' }).fill('ADA');
  await expect.poll(() => table('Users').getByRole('row').count()).toBe(2);
  await table('Users').getByRole('link', { name: 'ada', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'ada' }).waitFor();
  expect(new URL(page.url()).searchParams.get('range')).toBe('7d');
});

test('the page of a user has their models and agents, and leads to their traces and sessions', async () => {
  await openAs('viewer', '/users/ada?range=7d');
  await table('By model').getByRole('link', { name: 'gpt-4o-2024-08-06' }).waitFor();
  await table('By agent').getByRole('link', { name: 'weather', exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Daily traces' }).waitFor();
  const hrefOf = async (name: string) => (await page.getByRole('link', { name }).getAttribute('href')) ?? '';
  for (const name of ['View traces', 'View sessions']) expect(await hrefOf(name)).toMatch(/range=7d.*user=ada/);
  await page.goto(dashboard.address('/users/nobody'));
  await page.getByText('No traces of this user in this time range').waitFor();
});

const at = (seconds: number) => new Date(Date.now() - 60_000 + seconds * 1_000).toISOString();

/** An agent that asks a model and calls a tool. */
function refund(traceId: string, { system, tool }: { system: string; tool: object }): object[] {
  const span = { type: 'span', traceId, status: 'ok' };
  const child = { ...span, parentSpanId: `${traceId}-root` };
  const model = { kind: 'llm', model: 'gpt-4o-2024-08-06', provider: 'openai', usage: { inputTokens: 90, outputTokens: 6 } };
  return [
    { ...span, spanId: `${traceId}-root`, name: 'refund', kind: 'agent', agentName: 'refund', startTime: at(0), endTime: at(9) },
    {
      ...child,
      ...model,
      spanId: `${traceId}-chat`,
      name: 'chat',
      startTime: at(1),
      endTime: at(3),
      input: [{ role: 'system', content: system }],
      output: 'I look it up.',
    },
    { ...child, spanId: `${traceId}-tool`, name: 'lookup', kind: 'tool', startTime: at(4), endTime: at(5), input: 1, ...tool },
  ];
}

test('two traces are compared: the first difference, and what changed in its texts', async () => {
  await openAs('viewer', `/traces/${toolTraceId}`);
  await dashboard.send([
    ...refund('compared-1', { system: 'Be brief.\nNever promise dates.', tool: {} }),
    ...refund('compared-2', {
      system: 'Be brief and kind.\nNever promise dates.',
      tool: { status: 'error', errorCode: '504', errorMessage: 'timed out' },
    }),
  ]);
  const path = `/v1/projects/${dashboard.projectId}/trace-comparison?a=compared-1&b=compared-2`;
  await expect.poll(async () => (await page.request.get(path)).status(), { timeout: 20_000 }).toBe(200);
  await page.goto(dashboard.address('/trace-comparison?a=compared-1&b=compared-2'));
  await page.getByText('2 of 3 spans differ').waitFor();
  await page.getByRole('button', { name: 'First difference' }).click();
  const panel = page.getByRole('region', { name: 'Pair of spans' });
  await panel.getByRole('heading', { name: 'Changed: input' }).waitFor();
  await panel.getByText('and kind').waitFor();
  await panel.getByText('The same in both.').waitFor();
  await page.keyboard.press('n');
  await panel.getByRole('heading', { name: 'Changed: status, error code' }).waitFor();
  expect(await panel.getByRole('button', { name: 'Next difference (N)' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Differences only' }).click();
  await expect.poll(() => table('Pairs of spans').getByRole('row').count()).toBe(3);
  await page.getByRole('button', { name: 'Swap traces' }).click();
  await page.waitForURL(/a=compared-2&b=compared-1/);
});

/** The badges of an element that are cut at its right or bottom edge, or inside. */
const cutBadges = (element: Element) => {
  const edge = element.getBoundingClientRect();
  return [...element.querySelectorAll<HTMLElement>('span.inline-block')]
    .filter((badge) => {
      const box = badge.getBoundingClientRect();
      return box.right > edge.right + 1 || box.bottom > edge.bottom + 1 || badge.scrollWidth > badge.clientWidth;
    })
    .map(({ textContent }) => textContent);
};

test('a comparison shows all that changed in a span, also beside an opened pair', async () => {
  const span = { type: 'span', spanId: 'call', name: 'chat', kind: 'llm', provider: 'openai', startTime: at(0) };
  const usage = { inputTokens: 90, outputTokens: 6 };
  await openAs('viewer', `/traces/${toolTraceId}`);
  await dashboard.send([
    { ...span, traceId: 'changed-1', model: 'gpt-4o-2024-08-06', endTime: at(9), status: 'ok', usage, input: 1, output: 1 },
    {
      ...span,
      traceId: 'changed-2',
      model: 'gpt-4o-mini-2024-07-18',
      endTime: at(1),
      status: 'error',
      errorCode: '504',
      usage: { inputTokens: 9, outputTokens: 60 },
      costUsd: 0.9,
      input: 2,
      output: 2,
    },
  ]);
  const path = `/v1/projects/${dashboard.projectId}/trace-comparison?a=changed-1&b=changed-2`;
  await expect.poll(async () => (await page.request.get(path)).status(), { timeout: 20_000 }).toBe(200);
  for (const opened of ['', '&pair=1']) {
    await page.goto(dashboard.address(`/trace-comparison?a=changed-1&b=changed-2${opened}`));
    const changes = table('Pairs of spans').getByRole('row').nth(1).getByRole('cell').filter({ hasText: 'duration' });
    expect(await changes.textContent()).toMatch(/^statuserror codemodelinputoutputtokenscost \+.*duration −\d+%$/);
    expect(await changes.evaluate(cutBadges)).toEqual([]);
  }
});

test('a trace is compared with one that is found', async () => {
  await openAs('viewer', `/traces/${toolTraceId}`);
  await page.getByRole('button', { name: 'Compare with…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare with…' });
  await dialog.getByRole('searchbox').fill('failing-trace');
  await dialog.getByRole('link', { name: /checkout/ }).click();
  await page.waitForURL(/trace-comparison\?a=tool-trace&b=failing-trace/);
  await table('Pairs of spans').waitFor();
});

test('the cost of a user says in whole that a part is unpriced', async () => {
  await openAs('viewer', `/traces/${toolTraceId}`);
  const call = { type: 'span', traceId: 'half-priced', kind: 'llm', startTime: at(0), endTime: at(1), userId: 'half-priced' };
  await dashboard.send([
    { ...call, spanId: 'priced', name: 'priced', model: 'own', costUsd: 0.12 },
    { ...call, spanId: 'unpriced', name: 'unpriced', model: 'nobody-prices-this', usage: { inputTokens: 5, outputTokens: 5 } },
  ]);
  const path = `/v1/projects/${dashboard.projectId}/users/half-priced`;
  await expect.poll(async () => (await page.request.get(path)).status(), { timeout: 20_000 }).toBe(200);
  await page.goto(dashboard.address('/users/half-priced'));
  const cost = page.locator('dd', { hasText: '$0.12' }).first();
  await cost.getByText('partly unpriced').waitFor();
  expect(await cost.evaluate(cutBadges)).toEqual([]);
});

test('all data of a user are deleted, with progress and a receipt', async () => {
  await openAs('viewer', '/users/ada?range=7d');
  await table('By model').waitFor();
  expect(await page.getByRole('button', { name: "Delete this user's data" }).count()).toBe(0);
  await openAs('owner', '/users/ada?range=7d');
  await dashboard.send([
    { type: 'span', traceId: 'forgotten', spanId: 'root', name: 'a', startTime: at(0), endTime: at(1), userId: 'forgotten' },
  ]);
  const path = `/v1/projects/${dashboard.projectId}/users/forgotten`;
  await expect.poll(async () => (await page.request.get(path)).status(), { timeout: 20_000 }).toBe(200);
  await page.goto(dashboard.address('/users/forgotten'));
  await page.getByRole('button', { name: "Delete this user's data" }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all data' }).click();
  await page.getByText('1 of 1 trace', { exact: true }).waitFor();
  await page.getByText('In no log or backup after').waitFor();
  await page.getByText('No traces of this user in this time range').waitFor();
});
