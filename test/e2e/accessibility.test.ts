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

/** Serious and critical problems, one line each. */
async function problemsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`));
}

describe.each(['light', 'dark'] as const)('%s: axe finds no serious problem', (theme) => {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    page = await dashboard.open({ theme });
    complaints = complaintsOf(page);
  });

  test.each(everyPage)('%s', async (_name, path) => {
    await page.goto(dashboard.address(path));
    await settled(page);
    expect(await problemsOf(page)).toEqual([]);
    expect(complaints.splice(0)).toEqual([]);
  });

  test('the sign-in page', async () => {
    const stranger = await dashboard.open({ as: null, theme });
    await stranger.goto(dashboard.service.url);
    await stranger.getByLabel('Email').waitFor();
    expect(await problemsOf(stranger)).toEqual([]);
  });

  test('a menu, a dialog and the palette that are open', async () => {
    await page.goto(`${dashboard.root}/settings/keys`);
    await settled(page);
    await page.getByRole('button', { name: 'Rotate First key' }).click();
    expect(await problemsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menu').waitFor();
    expect(await problemsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('A page, project, model or trace id…').waitFor();
    expect(await problemsOf(page)).toEqual([]);
  });
});
