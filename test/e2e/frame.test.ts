import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { owner, settled } from './dashboard.ts';
import { toolTraceId } from './special-traces.ts';
import { complaints, dashboard, focused, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

test('what a URL says that makes no sense is left out of the page and of the URL', async () => {
  await openAs('owner', '/traces?range=banana&status=broken&sort=-cost');
  await page.getByRole('table', { name: 'Traces' }).waitFor();
  expect(new URL(page.url()).search).toBe('?sort=-cost');
  await page.getByRole('button', { name: 'Time range: Last 30 days' }).waitFor();
});

test('a page that is not there says so, with a way on', async () => {
  await openAs('owner', '/no-such-page');
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await page.getByText('Use the sidebar, or Ctrl K.').waitFor();
  expect(await page.title()).toBe('Page not found · Spanwise');
  await page.goto(`${dashboard.service.url}/o/default`);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Go to your projects' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.goto(`${dashboard.service.url}/o/default/p/none`);
  await page.getByRole('heading', { level: 1, name: 'Project not found' }).waitFor();
  await page.goto(`${dashboard.root}/settings`);
  await page.getByRole('heading', { name: /^API keys of/ }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/settings\/keys$/);
});

describe('a viewer', () => {
  test('sees no write action', async () => {
    for (const path of [`/traces/${toolTraceId}`, '/settings/members', '/settings/organization', '/start']) {
      await openAs('viewer', path);
      await settled(page);
      expect(await page.getByRole('button', { name: /delete|remove|rename|revoke|rotate|make a|add a/i }).count(), path).toBe(0);
      if (path !== '/start') await page.context().close();
    }
  });

  test('is told which permission is missing', async () => {
    await openAs('viewer', '/settings/keys');
    await page.getByText('keys:manage').waitFor();
    expect(await page.getByRole('button', { name: /make a key/i }).count()).toBe(0);
  });
});

describe('the frame', () => {
  beforeEach(() => openAs('owner', ''));

  test('keeps the chosen theme', async () => {
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    await page.reload();
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  });

  test('has a link over the navigation as the first stop of the keyboard', async () => {
    await settled(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  test('gives the focus back when a dialog or the palette closes, and keeps what is typed in one', async () => {
    const closed = async () => {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return expect.poll(focused);
    };
    await page.getByRole('button', { name: 'Show as table' }).first().focus();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('A page, project, model or trace id…').waitFor();
    await (await closed()).toBe('Show as table');
    await page.goto(`${dashboard.root}/traces`);
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByRole('menuitem', { name: 'From … to …' }).click();
    await page.getByLabel('From').waitFor();
    await (await closed()).toMatch(/^Time range/);
    await page.goto(`${dashboard.root}/datasets`);
    await page.getByRole('button', { name: 'New dataset' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('half a name');
    await page.mouse.click(20, 400);
    await settled(page);
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('half a name');
    expect(await page.getByRole('textbox', { name: 'Name' }).evaluate((input) => input === document.activeElement)).toBe(true);
    await (await closed()).toBe('New dataset');
  });

  test('takes every click of a quick row where each counts', async () => {
    await page.goto(`${dashboard.root}/traces/${toolTraceId}`);
    const errors = page.getByRole('button', { name: 'Errors' });
    await errors.dblclick();
    expect(await errors.getAttribute('aria-pressed')).toBe('false');
    await errors.click();
    expect(await errors.getAttribute('aria-pressed')).toBe('true');
  });

  test('carries the time range along', async () => {
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByRole('menuitem', { name: 'Last 7 days' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Traces' }).click();
    await page.getByRole('heading', { name: 'Traces' }).waitFor();
    expect(new URL(page.url()).searchParams.get('range')).toBe('7d');
  });

  test.each([
    ['?range=1h', 'Last 7 days', '?range=7d'],
    ['?from=2026-01-01T00%3A00%3A00.000Z', 'Last 30 days', '?range=30d'],
    ['', 'Last 30 days', ''],
  ])('shows the range of the URL, where a page cannot show that of the list of traces: %s', async (sent, shown, url) => {
    await page.goto(`${dashboard.root}/traces${sent}`);
    await page.getByRole('heading', { level: 1, name: 'Traces' }).waitFor();
    expect(new URL(page.url()).search).toBe(sent);
    for (const name of ['Overview', 'Models']) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.getByRole('button', { name: `Time range: ${shown}` }).waitFor();
      expect(new URL(page.url()).search).toBe(url);
    }
    await page.goto(`${dashboard.root}/models/gpt-4o-2024-08-06${sent}`);
    await page.getByRole('button', { name: `Time range: ${shown}` }).waitFor();
    expect(new URL(page.url()).search).toBe(url);
  });
});

describe('what goes away in the middle of work', () => {
  /** Of the refused and failed requests that these tests provoke the console tells as well. */
  afterEach(() => complaints.splice(0));

  test('a session that ends is renewed over the page, and what was typed stays', async () => {
    await openAs('owner', '/evaluators/new');
    await page.getByLabel('Name').fill('Half a name');
    await page.context().clearCookies();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Sessions' }).hover();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.getByLabel('Password').fill('not the password');
    await page.keyboard.press('Enter');
    await ended.getByRole('alert').waitFor();
    await ended.getByLabel('Password').fill(owner.password);
    await page.keyboard.press('Enter');
    await ended.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Half a name');
    expect((await page.context().cookies()).length).toBe(1);
  });

  test('while the service does not answer, what was read stays, and what could not be opened opens when it is back', async () => {
    await openAs('owner', '/models');
    const models = page.getByRole('table', { name: 'Models' });
    await models.waitFor();
    await settled(page);
    await page.context().setOffline(true);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Datasets' }).click();
    await page.getByText('The service does not answer').first().waitFor();
    await page.getByText('Not connected').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Datasets', level: 1 }).waitFor();
    await page.getByText(/^Receiving|^Quiet/).waitFor();
    // What is on the page is asked for again, and stays.
    await page.goBack();
    await models.waitFor();
    await page.context().setOffline(true);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Sessions' }).hover();
    await page.getByText('Not connected').waitFor();
    expect(await models.isVisible()).toBe(true);
  });
});
