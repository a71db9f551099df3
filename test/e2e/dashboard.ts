import { setTimeout as delay } from 'node:timers/promises';
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

/** The service on seeded data with a browser in front of it. */
export interface Dashboard {
  service: Service;
  browser: Browser;
  projectId: string;
  /** Where the pages of the seeded project begin. */
  root: string;
  /** Ids that are made anew each time; paths of pages name them as `{dataset}`. */
  places: DatasetPlaces;
  /** The address of a path inside the seeded project. */
  address(path: string): string;
  /** A page of a fresh browser profile; signed in unless `as` is null. */
  open(options?: OpenOptions): Promise<Page>;
  /** Sends events of the native format, with the project's key. */
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
const largeTraceSpans = 5_000;

/** Starts the service, seeds a month and the special traces, and starts the browser that Debian brings. */
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
  if (answer.status !== 201) throw new Error(`the viewer could not be added: ${await answer.text()}`);
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
  await seed({ spans: seededSpans, seed: 7, days: 30, endMs }, { send: (events) => send(service, events) }, () => undefined);
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

/** What a page complained about: errors that nobody caught, messages of the console, and what the Content-Security-Policy refused. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A refusal that a test provokes is reported by the browser as well.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  return complaints;
}

/** Requests of a page that have no answer yet, and how many it has made. */
interface Traffic {
  underWay: Set<Request>;
  made: number;
}

const traffics = new WeakMap<BrowserContext, Traffic>();

function watchTraffic(context: BrowserContext): void {
  const traffic: Traffic = { underWay: new Set(), made: 0 };
  traffics.set(context, traffic);
  context.on('request', (request) => {
    traffic.underWay.add(request);
    traffic.made += 1;
  });
  context.on('requestfinished', (request) => traffic.underWay.delete(request));
  context.on('requestfailed', (request) => traffic.underWay.delete(request));
}

/** What is asked for because of an answer is asked for by then. Playwright's own `networkidle` waits five times as long. */
const quietMs = 100;

/** Waits until a page has what it shows: nothing loads and no skeleton is left. */
export async function settled(page: Page): Promise<void> {
  const traffic = traffics.get(page.context());
  if (!traffic) throw new Error('the page was not opened by openPage');
  await page.waitForLoadState();
  for (const deadline = performance.now() + 20_000; performance.now() < deadline;) {
    const { made } = traffic;
    await delay(quietMs);
    if (made === traffic.made && traffic.underWay.size === 0 && (await standIns(page)) === 0) return;
  }
  const asked = [...traffic.underWay].map((request) => request.url());
  throw new Error(`the page did not settle: ${await standIns(page)} skeletons, ${asked.join(' ')}`);
}

function standIns(page: Page): Promise<number> {
  return page.locator('.pulse, [aria-label="Loading"]').count();
}
