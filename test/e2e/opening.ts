import type { Page } from 'playwright-core';
import { settled } from './dashboard.ts';

/** What was seen of a page that was opened inside the dashboard. Times are in milliseconds since then. */
export interface Opening {
  /** For how long something that says it loads was in sight. */
  loadingSeen: number;
  /** When everything was there: nothing stands in for something else, not even out of sight. */
  complete: number;
  /** What stood in for something else, and whether it was in sight from its first moment. */
  standIns: Array<'late' | 'at once'>;
  requests: Array<{ path: string; start: number; duration: number }>;
}

/** A page that asks for next to nothing, and its heading. */
const before = { address: '/settings/organization', heading: 'Settings' };
const beforeSettings = { address: '/start', heading: 'Send data' };

/**
 * Opens a path the way a link does, without pointing at it first, in a document whose cache holds nothing of it.
 *
 * @param root where the pages of the project begin
 * @param address of the page
 */
export async function opening(page: Page, root: string, address: string): Promise<Opening> {
  const from = address.startsWith(`${root}/settings`) ? beforeSettings : before;
  await page.goto(root + from.address);
  await settled(page);
  await page.evaluate(watch, address);
  await page.waitForFunction((heading) => document.querySelector('h1')?.textContent !== heading, from.heading, {
    timeout: 20_000,
  });
  await settled(page);
  return page.evaluate(report);
}

interface Watch {
  from: number;
  stop: boolean;
  loadingSeen: number;
  complete: number;
  standIns: Array<'late' | 'at once'>;
}

// The two run in the browser: they may use nothing from here.

function watch(address: string): void {
  const standIn = '.pulse, [aria-label="Loading"]';
  const heading = document.querySelector('h1');
  const seen: Watch = { from: performance.now(), stop: false, loadingSeen: 0, complete: 0, standIns: [] };
  Object.assign(globalThis, { openingSeen: seen });
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element) || !node.isConnected) continue;
      const added = [...(node.matches(standIn) ? [node] : []), ...node.querySelectorAll(standIn)];
      for (const element of added) seen.standIns.push(getComputedStyle(element).visibility === 'hidden' ? 'late' : 'at once');
    }
  }).observe(document.body, { childList: true, subtree: true });
  let last = seen.from;
  const look = () => {
    const now = performance.now();
    const loading = [...document.querySelectorAll(standIn)];
    if (loading.some((element) => element.checkVisibility({ visibilityProperty: true }))) seen.loadingSeen += now - last;
    if (loading.length > 0 || heading?.isConnected === true) seen.complete = now - seen.from;
    last = now;
    if (!seen.stop) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  history.pushState({}, '', address);
}

function report(): Opening {
  const { openingSeen: seen } = globalThis as unknown as { openingSeen: Watch };
  seen.stop = true;
  const requests = performance
    .getEntriesByType('resource')
    .filter(({ name, startTime }) => startTime >= seen.from && new URL(name).pathname.startsWith('/v1/'))
    .map(({ name, startTime, duration }) => ({ path: name.slice(name.indexOf('/v1/')), start: startTime - seen.from, duration }));
  return { loadingSeen: seen.loadingSeen, complete: seen.complete, standIns: seen.standIns, requests };
}
