import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { toolTraceId } from './special-traces.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const path = () => new URL(page.url()).pathname.replace(new URL(dashboard.root).pathname, '');

test.each([
  ['weather questions', /^\/datasets\//],
  ['answer-quality', /^\/evaluators\//],
  ['weather-chat', /^\/sessions\/weather-chat$/],
  [toolTraceId, new RegExp(`^/traces/${toolTraceId}$`)],
])('the palette finds %s', async (text, expected) => {
  await openAs('owner', '/start');
  await page.getByRole('heading', { level: 1, name: 'Send data' }).waitFor();
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

test('the palette finds a user, whose traces it opens', async () => {
  await openAs('owner', '/start');
  await page.getByRole('heading', { level: 1, name: 'Send data' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Go to page, record, project or ID').fill('ada');
  await page.getByRole('option', { name: 'ada user' }).click();
  await page.getByRole('button', { name: 'Remove filter User ada' }).waitFor();
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
  await page.getByRole('heading', { level: 1, name: 'Send data' }).waitFor();
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
    '/traces?user=ada',
    '/sessions/weather-chat',
    '/prompts/weather%2Fanswer?version=4',
  ]);
  await span.getByRole('link', { name: 'weather', exact: true }).click();
  await page.getByRole('button', { name: 'Remove filter Agent weather' }).waitFor();
});
