import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { complaintsOf, startDashboard } from './dashboard.ts';
import type { Dashboard, OpenOptions } from './dashboard.ts';

// State of the tests of one file: vitest isolates modules by file.

export let dashboard: Dashboard;
/** The open page; see {@link openAs}. */
export let page: Page;
/** The complaints of that page so far; see complaintsOf. */
export let complaints: string[];

/** Starts a dashboard for the tests of a file. After each test, closes its page and fails on any complaint. */
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

/** Opens a path of the seeded project in a new browser profile. */
export async function openAs(as: NonNullable<OpenOptions['as']> | null, path: string): Promise<void> {
  page = await dashboard.open({ as });
  complaints = complaintsOf(page);
  await page.goto(dashboard.address(path));
}

/** The label, or else the text, of the focused element. */
export function focused(): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
}
