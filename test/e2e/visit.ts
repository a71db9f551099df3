import type { BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { complaintsOf, desktop, startDashboard } from './dashboard.ts';
import type { Dashboard, OpenOptions } from './dashboard.ts';
import { tellFailure } from './tell-failures.ts';

// State of the tests of one file.

export let dashboard: Dashboard;
/** The open page; see {@link openAs}. */
export let page: Page;
/** The complaints of that page so far; see complaintsOf. */
export let complaints: string[];

type User = NonNullable<OpenOptions['as']>;

/** Signed-in browser profiles that tests share: a new one loads and compiles the whole dashboard again. */
type Profiles = Map<User, BrowserContext>;

let shared: Profiles = new Map();

let common: Promise<Dashboard> | undefined;
const commonProfiles: Profiles = new Map();

/**
 * The dashboard that files of this process share. It ends with the process.
 *
 * Their tests change nothing but to send events, which no test finds but by their ids.
 */
export function commonDashboard(): Promise<Dashboard> {
  return (common ??= startDashboard({ endsWithProcess: true }));
}

/**
 * Starts a dashboard for the tests of a file. After each test, closes its pages and fails on any complaint.
 *
 * @param shares uses {@link commonDashboard} instead
 */
export function visitDashboard({ shares = false } = {}): void {
  beforeAll(async () => {
    dashboard = await (shares ? commonDashboard() : startDashboard());
    shared = shares ? commonProfiles : new Map();
  });
  afterAll(async () => {
    if (!shares) await dashboard.close();
  });
  afterEach(async (context) => {
    // Before the pages are closed.
    await tellFailure(context);
    expect(complaints).toEqual([]);
    const profiles = [...shared.values()];
    if (!profiles.includes(page.context())) await page.context().close();
    for (const profile of profiles) await clear(profile);
  });
}

/** Closes the pages of a profile and empties its storage. */
async function clear(profile: BrowserContext): Promise<void> {
  for (const open of profile.pages()) {
    // Other pages, such as a blank one, have no storage of the dashboard.
    if (open.url().startsWith(dashboard.service.url)) await open.evaluate(() => localStorage.clear());
    await open.close();
  }
}

interface VisitOptions {
  size?: typeof desktop;
  /** In a browser profile of its own, for a test that changes the profile's clock or connection. */
  alone?: boolean;
}

/** Opens a path of the seeded project in a new page. Its storage is empty; what the browser has cached may stay. */
export async function openAs(as: User | null, path: string, { size = desktop, alone = false }: VisitOptions = {}): Promise<void> {
  const profile = as === null || alone ? undefined : shared.get(as);
  page = profile ? await profile.newPage() : await dashboard.open({ as });
  if (as !== null && !alone) shared.set(as, page.context());
  await page.setViewportSize(size);
  complaints = complaintsOf(page);
  await page.goto(dashboard.address(path));
}

/**
 * Routes requests of the page that is open, as `page.route` does, and returns once they reach the route. For requests that follow at
 * once: Chromium applies an interception some milliseconds after it was enabled, and Playwright reports no event of a request that was
 * sent in between. A page that is loaded afterwards needs no such wait.
 */
export async function intercept(url: string | RegExp, handler: (route: Route) => unknown): Promise<void> {
  const probe = '/intercepted';
  await page.route(url, handler);
  await page.route(`**${probe}`, (route) => route.fulfill({ status: 204 }));
  await expect.poll(() => page.evaluate((path) => fetch(path).then(({ status }) => status), probe)).toBe(204);
  await page.unroute(`**${probe}`);
}

/** The label, or else the text, of the focused element. */
export function focused(): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
}
