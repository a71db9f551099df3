import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { complaintsOf, startDashboard } from './dashboard.ts';
import type { Dashboard, OpenOptions } from './dashboard.ts';

// What the tests of a file look at: each file has this module to itself.

export let dashboard: Dashboard;
/** The page that is open; see {@link openAs}. */
export let page: Page;
/** What that page has complained about so far. */
export let complaints: string[];

/** Starts a dashboard for the tests of a file. After each of them its page is closed, and must have complained about nothing. */
export function visitDashboard(): void {
  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterAll(() => dashboard.close());
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.context().close();
  });
}

/** Opens a path of the seeded project in a browser profile of its own. */
export async function openAs(as: NonNullable<OpenOptions['as']> | null, path: string): Promise<void> {
  page = await dashboard.open({ as });
  complaints = complaintsOf(page);
  await page.goto(dashboard.address(path));
}

/** The label, or else the text, of what has the focus. */
export function focused(): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
}
