import type { Page } from 'playwright-core';

/** Rounded figures of a page without their exact value in a tooltip, and times with seconds or without their zone in one. */
export function figureFaults(page: Page): Promise<string[]> {
  return page.evaluate(faults);
}

/** Runs in the browser. */
function faults(): string[] {
  // What clients sent, charts, and what is drawn beside a text that says the same.
  const foreign = 'pre, code, bdi, script, style, textarea, option, [contenteditable], [aria-hidden=true], [role=img]';
  const rounded = /^[−+<>≥≤]*(?:\$\d|\d+(?:\.\d+)?[kMBT]\b|\d+(?:\.\d+)?%$)/;
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    const parent = node.parentElement;
    if (!rounded.test(text) || parent === null || parent.closest(foreign) !== null) continue;
    const title = parent.closest('[title]')?.getAttribute('title') ?? '';
    if (!/\d/.test(title)) found.push(`${text} has no exact value on hover`);
  }
  for (const time of document.querySelectorAll('main time[title]')) {
    const text = time.textContent ?? '';
    if (/\d:\d\d:\d\d/.test(text)) found.push(`${text} has seconds`);
    if (!/\d:\d\d:\d\d.* UTC$/.test(time.getAttribute('title') ?? '')) found.push(`${text} has no zone on hover`);
  }
  return found;
}
