import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { seed } from '../../src/cli/seed/seed.ts';
import { startService, temporaryDataDirectory } from '../support/service.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { specialDatasets } from './special-datasets.ts';
import type { DatasetPlaces } from './special-datasets.ts';
import { specialEvaluators } from './special-evaluators.ts';
import { specialPrompts } from './special-prompts.ts';
import { tripRequest } from './special-otlp.ts';
import { largeTrace, largeTraceId, specialTraces } from './special-traces.ts';

/** A service with seeded data, and a browser. */
export interface Dashboard {
  service: Service;
  browser: Browser;
  projectId: string;
  /** The URL of the seeded project's overview. */
  root: string;
  /** Generated IDs. Paths refer to them as `{dataset}`. */
  places: DatasetPlaces;
  /** The URL of a path inside the seeded project. */
  address(path: string): string;
  /** Opens a page in a new browser profile, signed in unless `as` is null. */
  open(options?: OpenOptions): Promise<Page>;
  /** Sends events in the native format with the project's API key. */
  send(events: readonly object[]): Promise<void>;
  close(): Promise<void>;
}

export interface OpenOptions {
  as?: 'owner' | 'viewer' | null;
  theme?: 'light' | 'dark';
}

export const owner = { email: 'owner@example.com', password: 'correct horse battery staple' };
export const viewer = { email: 'viewer@example.com', password: 'only here to look around' };
const seededSpans = 4_000;
/** The seeded traces end this long before the special ones, which are from the last ten minutes. */
const seedEndsBeforeMs = 600_000;
const largeTraceSpans = 5_000;

/** Starts the service, seeds one month of traces and the special traces, and starts Debian's Chromium. */
export async function startDashboard({ large = false } = {}): Promise<Dashboard> {
  const directory = await temporaryDataDirectory();
  const service = await startService({ dataDirectory: directory.path });
  const { cookie, projectId, organizationId } = await service.signIn();
  await addViewer(service, cookie, organizationId);
  const evaluators = await specialEvaluators(service, cookie, projectId);
  await specialPrompts(service);
  await fill(service, large);
  await everythingCanBeRead(service, cookie, projectId, large);
  const places = await specialDatasets(service, Date.now());
  await everythingCanBeRead(service, cookie, projectId, large);
  const root = `${service.url}/o/default/p/default`;
  await evaluators.evaluated();
  // The scores of the evaluators are ingested as well.
  await everythingCanBeRead(service, cookie, projectId, large);
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  return {
    service,
    browser,
    projectId,
    root,
    places,
    address: (path) =>
      root + path.replaceAll(/\{(\w+)\}/g, (name, key: string) => (places as unknown as Record<string, string>)[key] ?? name),
    send: (events) => send(service, events),
    open: (options) => openPage(browser, service, options),
    close: async () => {
      await browser.close();
      await evaluators.close();
      await service.stop();
      await directory.remove();
    },
  };
}

async function addViewer(service: Service, cookie: string, organizationId: string): Promise<void> {
  const answer = await fetch(`${service.url}/v1/organizations/${organizationId}/members`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ ...viewer, name: 'Vera Viewer', role: 'viewer' }),
  });
  if (answer.status !== 201) throw new Error(`adding the viewer failed: ${await answer.text()}`);
}

async function send(service: Service, events: readonly object[]): Promise<void> {
  const answer = await fetch(`${service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/x-ndjson' },
    body: events.map((event) => JSON.stringify(event)).join('\n'),
  });
  const body = (await answer.json()) as { rejected?: unknown[] };
  if (answer.status !== 202 || (body.rejected?.length ?? 0) > 0)
    throw new Error(`ingestion answered ${answer.status}: ${JSON.stringify(body)}`);
}

async function fill(service: Service, large: boolean): Promise<void> {
  const endMs = Date.now();
  // The seed's times depend on the hour. Without the distance its newest trace is, at every third hour, the newest of all.
  const seeded = { spans: seededSpans, seed: 7, days: 30, endMs: endMs - seedEndsBeforeMs };
  await seed(seeded, { send: (events) => send(service, events) }, () => undefined);
  const otlp = await fetch(`${service.url}/v1/traces`, {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(tripRequest(endMs)),
  });
  if (otlp.status !== 200) throw new Error(`OTLP ingestion answered ${otlp.status}: ${await otlp.text()}`);
  await send(service, specialTraces(endMs));
  if (!large) return;
  let batch: object[] = [];
  for (const event of largeTrace(endMs, largeTraceSpans)) {
    batch.push(event);
    if (batch.length < 100) continue;
    await send(service, batch);
    batch = [];
  }
  if (batch.length > 0) await send(service, batch);
}

async function everythingCanBeRead(service: Service, cookie: string, projectId: string, large: boolean): Promise<void> {
  const wanted = large ? largeTraceId : 'hostile-trace';
  await until('what was sent can be read', async () => {
    const health = (await (
      await fetch(`${service.url}/v1/projects/${projectId}/ingest-health`, { headers: { cookie } })
    ).json()) as { pendingEvents: number };
    const trace = await fetch(`${service.url}/v1/projects/${projectId}/traces/${wanted}`, { headers: { cookie } });
    await trace.arrayBuffer();
    return health.pendingEvents === 0 && trace.status === 200;
  });
}

async function openPage(browser: Browser, service: Service, { as = 'owner', theme = 'light' }: OpenOptions = {}): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    baseURL: service.url,
    viewport: { width: 1366, height: 768 },
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'Europe/Amsterdam',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  watchTraffic(context);
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

/** Requests of a browser profile: those without a response, and the total number. */
interface Traffic {
  pending: Set<Request>;
  sent: number;
}

const traffics = new WeakMap<BrowserContext, Traffic>();

function watchTraffic(context: BrowserContext): void {
  const traffic: Traffic = { pending: new Set(), sent: 0 };
  traffics.set(context, traffic);
  context.on('request', (request) => {
    traffic.pending.add(request);
    traffic.sent += 1;
  });
  context.on('requestfinished', (request) => traffic.pending.delete(request));
  context.on('requestfailed', (request) => traffic.pending.delete(request));
}

/** Rounds in which the page must stay idle: a response may cause a render, and the render another request. */
const idleRounds = 3;

/** Waits until a page has loaded everything it shows: no request is running, no skeleton is left, and the page stays idle. */
export async function settled(page: Page): Promise<void> {
  const traffic = traffics.get(page.context());
  if (!traffic) throw new Error('the page was not opened by openPage');
  await page.waitForLoadState();
  let rounds = 0;
  for (const deadline = performance.now() + 20_000; performance.now() < deadline;) {
    const { sent } = traffic;
    await idle(page);
    const isQuiet = sent === traffic.sent && traffic.pending.size === 0 && (await placeholders(page)) === 0;
    rounds = isQuiet ? rounds + 1 : 0;
    if (rounds === idleRounds) return;
  }
  const urls = [...traffic.pending].map((request) => request.url());
  throw new Error(`the page did not settle: ${await placeholders(page)} skeletons, ${urls.join(' ')}`);
}

/** Waits until the page has painted a frame and has nothing left to do. Measured in the page, so that a busy machine only takes longer. */
async function idle(page: Page): Promise<void> {
  try {
    await page.evaluate(
      () => new Promise<void>((resolve) => requestAnimationFrame(() => requestIdleCallback(() => resolve(), { timeout: 5_000 }))),
    );
  } catch (error) {
    // The document was replaced meanwhile.
    if (!(error instanceof Error) || !/context was destroyed|navigat/i.test(error.message)) throw error;
    await page.waitForLoadState();
  }
}

function placeholders(page: Page): Promise<number> {
  return page.locator('.pulse, [aria-label="Loading"]').count();
}
