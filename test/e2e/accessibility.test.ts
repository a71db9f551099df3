import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noProblems, problemsInBoth } from './axe.ts';
import { complaintsOf, settled, startDashboard } from './dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import { everyPage } from './every-page.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

// every-page.test.ts has the pages of every-page.ts.
describe('axe finds no serious problem, light or dark', () => {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    page = await dashboard.open();
    complaints = complaintsOf(page);
  });

  test('other pages of the sidebar', async () => {
    await page.goto(dashboard.address(''));
    await settled(page);
    const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all();
    const paths = await Promise.all(
      links.map(async (link) => new URL((await link.getAttribute('href')) ?? '', page.url()).pathname),
    );
    expect(paths.length).toBeGreaterThan(5);
    const visited = new Set(everyPage.map(([, path]) => new URL(dashboard.address(path)).pathname.replace(/\/$/, '')));
    for (const path of paths.filter((one) => !visited.has(one.replace(/\/$/, '')))) {
      await page.goto(new URL(path, page.url()).href);
      await settled(page);
      expect(await problemsInBoth(page), path).toEqual(noProblems);
      expect(complaints.splice(0), path).toEqual([]);
    }
  });

  test('pages that do not exist', async () => {
    for (const address of [`${dashboard.root}/no-such-page`, `${dashboard.service.url}/o/default`]) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
      expect(await problemsInBoth(page)).toEqual(noProblems);
    }
  });

  test('the sign-in page', async () => {
    const stranger = await dashboard.open({ as: null });
    await stranger.goto(dashboard.service.url);
    await stranger.getByLabel('Email').waitFor();
    expect(await problemsInBoth(stranger)).toEqual(noProblems);
  });

  test('an open menu, dialog and command palette', async () => {
    await page.goto(`${dashboard.root}/settings/keys`);
    await settled(page);
    await page.getByRole('button', { name: 'Rotate First key' }).click();
    expect(await problemsInBoth(page)).toEqual(noProblems);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menu').waitFor();
    expect(await problemsInBoth(page)).toEqual(noProblems);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to page, record, project or ID').waitFor();
    expect(await problemsInBoth(page)).toEqual(noProblems);
  });
});
