import type { Page } from 'playwright-core';
import { settled } from './dashboard.ts';

/** Observations while a page opens. Times are in milliseconds since the navigation. */
export interface Opening {
  /** How long a loading placeholder was visible. */
  loadingSeen: number;
  /** When the last placeholder was removed, visible or not. */
  complete: number;
  /** Each placeholder: whether it was visible immediately or after a delay. */
  standIns: Array<'late' | 'at once'>;
  requests: Array<{ path: string; start: number; duration: number }>;
}

/** The page to start from, which needs few requests, and its heading. */
const before = { address: '/settings/organization', heading: 'Settings' };
const beforeSettings = { address: '/start', heading: 'Set up' };

/**
 * Navigates to a page inside the dashboard, without prefetching and with an empty cache.
 *
 * @param root URL of the project's overview
 * @param address URL of the page
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

// These functions run in the browser and must be self-contained.

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
