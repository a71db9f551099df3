import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { complaintsOf, settled, startDashboard } from './dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import { everyPage } from './every-page.ts';
import { toolTraceId } from './special-traces.ts';

/** A phone; a laptop of 1366 by 768 at 200 % zoom; the narrowest window with a sidebar. */
const sizes = [
  { width: 390, height: 844 },
  { width: 683, height: 384 },
  { width: 1024, height: 768 },
] as const;

let dashboard: Dashboard;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  dashboard = await startDashboard();
  page = await dashboard.open();
  complaints = complaintsOf(page);
});
afterAll(() => dashboard.close());

/** What is wider than the window and does not scroll inside itself, and what overlaps in the header. Runs in the browser. */
function faults(): string[] {
  const main = document.querySelector('main');
  const header = main?.querySelector('header');
  if (!main || !header) return ['no page'];
  const found = main.scrollWidth > main.clientWidth ? [`main is ${main.scrollWidth} px wide, of ${main.clientWidth}`] : [];
  if (document.documentElement.scrollWidth > innerWidth) found.push('the document scrolls sideways');
  const boxes = [...header.querySelectorAll('a, button, h1')].map((element) => ({
    element,
    box: element.getBoundingClientRect(),
  }));
  for (const { element, box } of boxes) {
    const name = element.textContent || element.getAttribute('aria-label');
    if (box.width < 12 || box.right > innerWidth) found.push(`${name} is ${box.width} px wide and ends at ${box.right}`);
    for (const other of boxes) {
      if (other.element === element || other.element.contains(element) || element.contains(other.element)) continue;
      const width = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const height = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (width > 1 && height > 1) found.push(`${name} overlaps ${other.element.textContent}`);
    }
  }
  return found;
}

test.each(everyPage)('%s fits narrow windows', async (_name, path) => {
  await page.setViewportSize(sizes[0]);
  await page.goto(dashboard.address(path));
  await settled(page);
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await page.evaluate(faults), `at ${size.width} pixels`).toEqual([]);
  }
  expect(complaints.splice(0)).toEqual([]);
});

test('the list of sessions does not scroll sideways beside the sidebar', async () => {
  await page.setViewportSize(sizes[2]);
  await page.goto(dashboard.address('/sessions'));
  await settled(page);
  const list = page.getByRole('group', { name: 'Sessions' });
  const [shown, whole] = await list.evaluate((element) => [element.clientWidth, element.scrollWidth]);
  expect(whole).toBe(shown);
  await page.setViewportSize({ width: 1440, height: 900 });
  await list.getByRole('columnheader', { name: 'Environment' }).waitFor();
});

describe('on a phone', () => {
  beforeAll(() => page.setViewportSize(sizes[0]));

  test('the sidebar is a drawer that a link or Escape closes', async () => {
    await page.goto(dashboard.address(''));
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await menu.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    await menu.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await menu.getByRole('button', { name: 'Go to' }).click();
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  });

  test('the tree of a trace is above the detail, each as wide as the window', async () => {
    await page.goto(dashboard.address(`/traces/${toolTraceId}?span=answer`));
    const tree = await page.getByRole('treegrid', { name: 'Spans' }).boundingBox();
    const detail = await page.getByRole('region', { name: 'Span', exact: true }).boundingBox();
    expect(tree?.width).toBe(390);
    expect(detail?.width).toBe(390);
    expect(detail?.y).toBeGreaterThanOrEqual((tree?.y ?? 0) + (tree?.height ?? 0));
  });
});
