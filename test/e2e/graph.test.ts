import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { dashboard, focused, openAs, page, visitDashboard } from './visit.ts';

visitDashboard({ shares: true });

const drawing = () => page.getByRole('region', { name: 'Dependency graph' });
const nodeLink = (name: RegExp) => drawing().getByRole('link', { name });
const panel = () => page.getByRole('complementary', { name: 'Blast radius' });

test('the drawing shows figures of what the pointer is at, and a click opens what depends on a node', async () => {
  await openAs('viewer', '/graph');
  await nodeLink(/^Agent support-triage, /).waitFor();
  await settled(page);
  await nodeLink(/^Tool lookup_order, /).hover();
  await expect
    .poll(() => page.locator('[data-hover-figures]').innerText())
    .toMatch(/Tool lookup_order[^]*Calls[^]*Error rate[^]*p95/);
  await nodeLink(/^Provider anthropic, /).click();
  await panel().getByRole('heading', { name: 'anthropic' }).waitFor();
  await panel().getByText('Traces concerned').waitFor();
  await expect
    .poll(() => panel().innerText())
    .toMatch(/Traces\s+\d+[^]*Users\s+\d+[^]*Sessions\s+\d+[^]*Agents affected\s+2[^]*Outcomes\s+[1-9]/);
  const models = panel().getByRole('list').first();
  expect(await models.innerText()).toMatch(/^claude-sonnet-4-5-20250929\s+100% of traces\s+\d+$/);
  // The affected nodes lead on; the node of a model leads to the model's page, with the same time range.
  await models.getByRole('link').click();
  await panel().getByRole('heading', { name: 'claude-sonnet-4-5-20250929' }).waitFor();
  await panel().getByRole('link', { name: 'Model page' }).click();
  await page.getByRole('heading', { level: 1, name: 'claude-sonnet-4-5-20250929' }).waitFor();
  await page.goBack();
  await panel().getByRole('link', { name: 'Close' }).click();
  await panel().waitFor({ state: 'detached' });
});

test('a prompt leads to its page, an agent to its traces', async () => {
  await openAs('viewer', `/graph?node=${encodeURIComponent('prompt:support/triage')}`);
  await panel().getByRole('link', { name: 'Prompt page' }).waitFor();
  await panel()
    .getByRole('link', { name: /^support-triage$/ })
    .click();
  await panel().getByRole('link', { name: 'View traces' }).click();
  await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
  expect(new URL(page.url()).searchParams.get('filter')).toBe('agent:support-triage');
});

test('types, an environment and a minimum of calls narrow the graph', async () => {
  await openAs('viewer', '/graph');
  await nodeLink(/^Tool lookup_order, /).waitFor();
  await page.getByRole('button', { name: /^Tools \d+$/ }).click();
  await nodeLink(/^Tool lookup_order, /).waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).search).toContain('tool');
  await page.getByLabel('Minimum calls').fill('200');
  await nodeLink(/^Agent checkout/).waitFor({ state: 'detached' });
  await nodeLink(/^Agent support-triage, /).waitFor();
  await page.getByLabel('Minimum calls').fill('1000000');
  await page.getByText('The filters leave nothing').waitFor();
  await page.getByLabel('Minimum calls').fill('');
  await page.getByRole('button', { name: 'Environment: All environments' }).click();
  await page.getByRole('menuitem', { name: 'staging', exact: true }).click();
  await nodeLink(/^Agent support-triage, /).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('environment')).toBe('staging');
  // The environment stays: on another page of figures, and after one that has none.
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('button', { name: 'Environment: staging' }).waitFor();
});

test('the graph can be read as tables and with the keyboard alone', async () => {
  await openAs('viewer', '/graph');
  await nodeLink(/^Agent support-triage, /).waitFor();
  await nodeLink(/^Agent support-triage, /).focus();
  await page.keyboard.press('Enter');
  await panel().getByRole('heading', { name: 'support-triage' }).waitFor();
  await expect.poll(focused).toContain('support-triage');
  await page.getByRole('button', { name: 'Show as table' }).press('Enter');
  const rows = page.getByRole('table', { name: 'Nodes' }).getByRole('row');
  await expect.poll(() => rows.nth(1).innerText()).toMatch(/^openai\s+Provider/);
  await page.getByRole('tab', { name: /^Edges \d+$/ }).click();
  const edges = page.getByRole('table', { name: 'Edges' });
  await edges.getByRole('link', { name: 'support-triage' }).first().waitFor();
  await page.getByRole('button', { name: 'Show as graph' }).click();
  await nodeLink(/^Agent support-triage, /).waitFor();
});

test('500 nodes are drawn, and those outside of the window are not in the document', async () => {
  await openAs('viewer', '');
  const figures = { calls: 10, errors: 1, p95Latency: 5 };
  const nodes = Array.from({ length: 500 }, (_, index) => {
    const [type, name] = [index < 20 ? 'agent' : 'tool', `node ${index}`];
    return { id: `${type}:${name}`, type, name, ...figures, errorRate: 0.1, cost: 0 };
  });
  const edges = nodes
    .slice(20)
    .flatMap(({ id }, index) =>
      [0, 1, 2].map((step) => ({ source: nodes[(index * 7 + step * 5) % 20]?.id ?? '', target: id, ...figures })),
    );
  await page.route(/\/v1\/projects\/[^/]+\/graph/, (route) => route.fulfill({ json: { nodes, edges, truncated: true } }));
  await page.goto(dashboard.address('/graph'));
  await page.getByText('The 500 nodes with the most calls are shown.').waitFor();
  await nodeLink(/^Tool node 20, /).waitFor({ state: 'attached' });
  for (let step = 0; step < 8; step++) await page.getByRole('button', { name: 'Zoom In' }).click();
  await expect.poll(() => drawing().getByRole('link').count()).toBeLessThan(200);
});

test('a narrow window opens the drawing at its first layer, or at the opened node, at a size that can be read', async () => {
  const widthOf = async (name: RegExp) => (await nodeLink(name).boundingBox())?.width ?? 0;
  const size = { width: 390, height: 844 };
  await openAs('viewer', '/graph', { size });
  await nodeLink(/^Service helpdesk, /).waitFor();
  await expect.poll(() => widthOf(/^Service helpdesk, /)).toBeGreaterThan(80);
  await openAs('viewer', `/graph?node=${encodeURIComponent('tool:lookup_order')}`, { size });
  await expect.poll(() => widthOf(/^Tool lookup_order, /)).toBeGreaterThan(80);
  await page.getByRole('button', { name: 'Fit View' }).click();
  await expect.poll(() => widthOf(/^Tool lookup_order, /)).toBeLessThan(80);
});
