import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { complaintsOf, settled, startDashboard } from './dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import { everyPage } from './every-page.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

/** Serious and critical accessibility problems, one line each. */
async function problemsOf(page: Page, rules?: string[]): Promise<string[]> {
  // Legacy mode needs no second page per analysis. Pages have no cross-origin frames.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`));
}

/** Switches the colour scheme and waits for transitions to finish. */
async function show(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const fading = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(fading.map(({ finished }) => finished));
  });
}

/** Problems by theme. The dark theme is checked for contrast only: themes differ in colours only. */
async function problemsInBoth(page: Page): Promise<{ light: string[]; dark: string[] }> {
  await show(page, 'light');
  const light = await problemsOf(page);
  await show(page, 'dark');
  return { light, dark: await problemsOf(page, ['color-contrast']) };
}

const none = { light: [], dark: [] };

describe('axe finds no serious problem, light or dark', () => {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    page = await dashboard.open();
    complaints = complaintsOf(page);
  });

  test.each(everyPage)('%s', async (_name, path) => {
    await page.goto(dashboard.address(path));
    await settled(page);
    expect(await problemsInBoth(page)).toEqual(none);
    expect(complaints.splice(0)).toEqual([]);
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
      expect(await problemsInBoth(page), path).toEqual(none);
      expect(complaints.splice(0), path).toEqual([]);
    }
  });

  test('pages that do not exist', async () => {
    for (const address of [`${dashboard.root}/no-such-page`, `${dashboard.service.url}/o/default`]) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
      expect(await problemsInBoth(page)).toEqual(none);
    }
  });

  test('the sign-in page', async () => {
    const stranger = await dashboard.open({ as: null });
    await stranger.goto(dashboard.service.url);
    await stranger.getByLabel('Email').waitFor();
    expect(await problemsInBoth(stranger)).toEqual(none);
  });

  test('an open menu, dialog and command palette', async () => {
    await page.goto(`${dashboard.root}/settings/keys`);
    await settled(page);
    await page.getByRole('button', { name: 'Rotate First key' }).click();
    expect(await problemsInBoth(page)).toEqual(none);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menu').waitFor();
    expect(await problemsInBoth(page)).toEqual(none);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to page, record, project or ID').waitFor();
    expect(await problemsInBoth(page)).toEqual(none);
  });
});
