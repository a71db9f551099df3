import type { Page } from 'playwright-core';

/** A phone; a laptop of 1366 by 768 at 200 % zoom; the narrowest window with a sidebar. */
export const narrowSizes = [
  { width: 390, height: 844 },
  { width: 683, height: 384 },
  { width: 1024, height: 768 },
] as const;

/** What does not fit the window or overlaps in the header, one line each, two frames later: charts follow a new width at the end of a frame. */
export async function widthFaults(page: Page): Promise<string[]> {
  for (let frame = 0; frame < 2; frame += 1) await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  return page.evaluate(faults);
}

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
