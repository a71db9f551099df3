import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { cardsSlug } from './special-guardrails.ts';
import { tripSpans, tripTraceId } from './special-otlp.ts';
import { toolTraceId } from './special-traces.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const path = () => new URL(page.url()).pathname.replace(new URL(dashboard.root).pathname, '');

test.each([
  ['weather questions', /^\/datasets\//],
  ['answer-quality', /^\/evaluators\//],
  ['weather-chat', /^\/sessions\/weather-chat$/],
  [cardsSlug, new RegExp(`^/guardrails/${cardsSlug}$`)],
  [toolTraceId, new RegExp(`^/traces/${toolTraceId}$`)],
])('the palette finds %s', async (text, expected) => {
  await openAs('owner', '/start');
  await page.getByRole('heading', { level: 1, name: 'Set up' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Go to page, record, project or ID').fill(text);
  await settled(page);
  await page
    .getByRole('option')
    .filter({ hasText: text })
    .filter({ hasNotText: /^Search|^Find/ })
    .first()
    .click();
  await expect.poll(path).toMatch(expected);
});

test('the palette offers models that begin with the text first, and agents', async () => {
  await openAs('owner', '/start');
  await page.getByRole('heading', { level: 1, name: 'Set up' }).waitFor();
  await page.keyboard.press('Control+k');
  const selected = page.locator('[cmdk-item][data-selected=true]');
  await page.getByPlaceholder('Go to page, record, project or ID').fill('gpt');
  await expect.poll(() => selected.innerText()).toMatch(/^gpt-/);
  await page.getByPlaceholder('Go to page, record, project or ID').fill('claude');
  await expect.poll(() => selected.innerText()).toMatch(/^claude-/);
  expect(await page.getByRole('option', { name: /^Default/ }).count()).toBe(0);
  await page.getByPlaceholder('Go to page, record, project or ID').fill('weather');
  await page.getByRole('option', { name: 'weather traces', exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe('agent:weather');
});

test('the palette finds a user, whose page it opens', async () => {
  await openAs('owner', '/start');
  await page.getByRole('heading', { level: 1, name: 'Set up' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Go to page, record, project or ID').fill('ada');
  await page.getByRole('option', { name: 'ada user' }).click();
  await page.getByRole('heading', { level: 1, name: 'ada' }).waitFor();
});

test('the palette finds a span by its ID', async () => {
  await openAs('owner', '/start');
  await page.getByRole('heading', { level: 1, name: 'Set up' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Go to page, record, project or ID').fill(tripSpans.plan);
  await page.getByRole('option', { name: `Find span ${tripSpans.plan}` }).waitFor();
  // Records that are found move the options.
  await settled(page);
  await page.getByRole('option', { name: `Find span ${tripSpans.plan}` }).click();
  await page.getByText(/^1 trace$/).waitFor();
  const link = page.getByRole('table', { name: 'Traces' }).getByRole('row').nth(1).getByRole('link').first();
  expect(await link.getAttribute('href')).toContain(tripTraceId);
});

test('a wrong path shows a page', async () => {
  await openAs('owner', '');
  const answer = await page.goto(`${dashboard.service.url}/traces`);
  expect(answer?.status()).toBe(404);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Go to your projects' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

test('the project switcher creates a project, once for a double click', async () => {
  await openAs('owner', '/models');
  await page.getByRole('button', { name: /^Project / }).click();
  await page.getByRole('menuitem', { name: 'New project' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New project' });
  await dialog.getByLabel('Name').fill('Second project');
  let created = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/projects')) created += 1;
  });
  await dialog.getByRole('button', { name: 'Create project' }).dblclick();
  await page.getByRole('heading', { level: 1, name: 'Set up' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/o/default/p/second-project/start');
  await settled(page);
  expect(created).toBe(1);
});

test('user, session, agent and prompt of a span are links', async () => {
  await openAs('owner', `/traces/${toolTraceId}?span=answer`);
  const span = page.getByRole('region', { name: 'Span', exact: true });
  const hrefs = await Promise.all(
    ['ada', 'weather-chat', 'weather/answer #4'].map((name) =>
      span.getByRole('link', { name, exact: true }).getAttribute('href'),
    ),
  );
  expect(hrefs.map((href) => href?.replace(/^.*\/default\/p\/default/, ''))).toEqual([
    '/users/ada',
    '/sessions/weather-chat',
    '/prompts/weather%2Fanswer?version=4',
  ]);
  await span.getByRole('link', { name: 'weather', exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe('agent:weather');
});

test('user, session, agent and prompt of lists are links', async () => {
  await openAs('owner', `/traces?session=weather-chat&hide=`);
  const traces = page.getByRole('table', { name: 'Traces' });
  const row = traces.getByRole('row').nth(1);
  const hrefOf = async (name: string) =>
    (await row.getByRole('link', { name, exact: true }).getAttribute('href'))?.replace(/^.*\/default\/p\/default/, '');
  expect(await Promise.all(['ada', 'weather-chat', 'weather'].map(hrefOf))).toEqual([
    '/explore?user=ada',
    '/sessions/weather-chat',
    '/explore?agent=weather',
  ]);
  await page.goto(dashboard.address('/models/gpt-4o-2024-08-06?range=7d'));
  await page.getByRole('table', { name: 'Agents' }).getByRole('link', { name: 'weather', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
  const search = Object.fromEntries(new URL(page.url()).searchParams);
  expect(search).toEqual({ range: '7d', filter: 'model:gpt-4o-2024-08-06 agent:weather' });
  await page.goto(dashboard.address('/sessions?q=weather-chat'));
  await page.getByRole('table', { name: 'Sessions' }).getByRole('link', { name: 'ada', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'ada' }).waitFor();
  await page.goto(dashboard.address('/simulations'));
  await page.getByRole('link', { name: 'contracts', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'contracts' }).waitFor();
});
