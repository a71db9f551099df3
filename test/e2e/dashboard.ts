import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { administrator as owner, startService, temporaryDataDirectory } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { addLargeTrace, fillingEnvironment, fillService, sendEvents, viewer } from './dashboard-data.ts';
import type { Places } from './dashboard-data.ts';
import { copyDashboardData } from './make-dashboard-data.ts';
import { judgeKey, openJudge } from './special-evaluators.ts';

export { owner, viewer };

/** A service with seeded data, and a browser. */
export interface Dashboard {
  service: Service;
  /** The browser, which other dashboards of the process use too. */
  browser: Browser;
  projectId: string;
  /** The URL of the seeded project's overview. */
  root: string;
  /** Generated IDs. Paths refer to them as `{dataset}`. */
  places: Places;
  /** The URL of a path inside the seeded project. */
  address(path: string): string;
  /** Opens a page in a new browser profile, signed in unless `as` is null. */
  open(options?: OpenOptions): Promise<Page>;
  /** Sends events in the native format with the project's API key. */
  send(events: readonly object[]): Promise<void>;
  close(): Promise<void>;
}

/** The size of a window, in pixels. */
interface WindowSize {
  width: number;
  height: number;
}

export interface OpenOptions {
  as?: 'owner' | 'viewer' | null;
  theme?: 'light' | 'dark';
}

export const desktop: WindowSize = { width: 1366, height: 768 };

/**
 * Features of Chromium that are switched off. The menus of the address bar are two documents of their own in each window, which took a third of
 * the browser's time. The list replaces Playwright's, which follows.
 */
const withoutFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** V8 compiles no hot code again: a test is over before that pays. */
const withoutOptimizing = '--js-flags=--no-turbofan,--no-maglev';

/** The browser that the dashboards of this process share. It ends with the process. */
let common: Promise<Browser> | undefined;

function openBrowser(...flags: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      `--disable-features=${withoutFeatures.join()}`,
      ...flags,
    ],
  });
}

/**
 * Starts the service on a copy of the filled data directory, a fake model server for its judge, and Debian's Chromium.
 *
 * @param large adds a trace of 5,000 spans, and opens pages in a browser of its own, as fast as a user's
 * @param endsWithProcess ends the service when this process ends
 */
export async function startDashboard({ large = false, endsWithProcess = false } = {}): Promise<Dashboard> {
  const directory = await temporaryDataDirectory();
  const dataDirectory = join(directory.path, 'data');
  const copied = copyDashboardData(dataDirectory);
  const service = await startService({
    dataDirectory,
    endsWithProcess,
    ...(copied === null ? { env: fillingEnvironment } : { apiKey: copied.apiKey }),
  });
  const { places, connectionId } = copied ?? (await fillService(service));
  const { cookie, projectId } = await service.signIn();
  const judge = await openJudge({ refusesFirst: false });
  await moveConnection(`${service.url}/v1/projects/${projectId}/model-connections/${connectionId}`, cookie, judge.url);
  if (large) await addLargeTrace(service);
  const browser = await (large ? openBrowser() : (common ??= openBrowser(withoutOptimizing)));
  const profiles: BrowserContext[] = [];
  const root = `${service.url}/o/default/p/default`;
  return {
    service,
    browser,
    projectId,
    root,
    places,
    address: (path) =>
      root + path.replaceAll(/\{(\w+)\}/g, (name, key: string) => (places as unknown as Record<string, string>)[key] ?? name),
    send: (events) => sendEvents(service, events),
    open: async (options) => {
      const page = await openPage(browser, service, options);
      profiles.push(page.context());
      return page;
    },
    close: async () => {
      for (const profile of profiles) await profile.close();
      if (large) await browser.close();
      await judge.close();
      await service.stop();
      await directory.remove();
    },
  };
}

async function moveConnection(url: string, cookie: string, baseUrl: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'PATCH',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ baseUrl, apiKey: judgeKey }),
  });
  if (answer.status !== 200) throw new Error(`moving the model connection answered ${answer.status}: ${await answer.text()}`);
}

async function openPage(browser: Browser, service: Service, { as = 'owner', theme = 'light' }: OpenOptions = {}): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    baseURL: service.url,
    viewport: desktop,
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'Europe/Amsterdam',
    permissions: ['clipboard-read', 'clipboard-write'],
    // A pulsing placeholder is drawn anew in every frame.
    reducedMotion: 'reduce',
  });
  context.on('page', watchTraffic);
  if (as !== null) {
    const answer = await context.request.post('/v1/auth/login', { data: as === 'owner' ? owner : viewer });
    if (!answer.ok()) throw new Error(`signing in answered ${answer.status()}`);
  }
  return context.newPage();
}

/** Collects uncaught errors, console errors and violations of the Content-Security-Policy. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Failed requests that a test provokes are also reported.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  return complaints;
}

/** Requests of a page: those without a response, and the total number. */
interface Traffic {
  pending: Set<Request>;
  sent: number;
}

const traffics = new Map<Page, Traffic>();

/** What the open pages show and wait for, one line each: for the output of a test that failed. */
export async function openPages(): Promise<string[]> {
  return Promise.all(
    [...traffics].map(async ([page, { pending }]) => {
      const text = await page.evaluate(() => document.body.innerText).catch((error: unknown) => String(error));
      const waiting = [...pending].map((request) => request.url()).join(' ');
      return `${page.url()} waits for [${waiting}] and shows: ${text.replaceAll(/\s+/g, ' ').slice(0, 1_500)}`;
    }),
  );
}

function watchTraffic(page: Page): void {
  const traffic: Traffic = { pending: new Set(), sent: 0 };
  traffics.set(page, traffic);
  page.on('close', () => traffics.delete(page));
  page.on('request', (request) => {
    traffic.pending.add(request);
    traffic.sent += 1;
  });
  page.on('requestfinished', (request) => traffic.pending.delete(request));
  page.on('requestfailed', (request) => traffic.pending.delete(request));
}

/** Rounds in which the page must stay idle: a response may cause a render, and the render another request. */
const idleRounds = 3;

/** Waits until a page has loaded everything it shows: no request is running, no skeleton is left, and the page stays idle. */
export async function settled(page: Page): Promise<void> {
  const traffic = traffics.get(page);
  if (!traffic) throw new Error('the page was not opened by openPage');
  await page.waitForLoadState();
  for (const deadline = performance.now() + 20_000; performance.now() < deadline;) {
    const { sent } = traffic;
    const isQuiet = traffic.pending.size === 0;
    const isComplete = await staysComplete(page, isQuiet ? idleRounds : 1);
    if (isQuiet && isComplete && sent === traffic.sent) return;
  }
  const urls = [...traffic.pending].map((request) => request.url());
  throw new Error(`the page did not settle: ${await page.locator(standIns).count()} skeletons, ${urls.join(' ')}`);
}

const standIns = '.pulse, [aria-label="Loading"]';

/** Waits for idle rounds of the page; false as soon as a round ends with a skeleton, or when the document is replaced meanwhile. */
async function staysComplete(page: Page, rounds: number): Promise<boolean> {
  try {
    return await page.evaluate(passRounds, { rounds, standIn: standIns });
  } catch (error) {
    if (!(error instanceof Error) || !/context was destroyed|navigat/i.test(error.message)) throw error;
    await page.waitForLoadState();
    return false;
  }
}

/**
 * Runs in the browser. A round ends when the page has painted a frame and has nothing left to do. Measured in the page, so that a busy machine
 * only takes longer.
 */
async function passRounds({ rounds, standIn }: { rounds: number; standIn: string }): Promise<boolean> {
  for (let round = 0; round < rounds; round++) {
    await new Promise<void>((resolve) => {
      requestAnimationFrame(() => requestIdleCallback(() => resolve(), { timeout: 5_000 }));
    });
    if (document.querySelector(standIn) !== null) return false;
  }
  return true;
}
