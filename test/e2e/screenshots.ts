// Writes screenshots of every page to screenshots/, which Git ignores:
//   npm run screenshots [-- --view 390x844-dark ...] [--to FOLDER] [NAME ...]
// NAME is a page of every-page.ts or `sign-in`. The default views: a wide window in both themes, the narrowest with a sidebar, and a phone.
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import buildDashboard from './build-dashboard.ts';
import { complaintsOf, settled, startDashboard } from './dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import { everyPage } from './every-page.ts';

const defaultViews = ['1440x900-light', '1440x900-dark', '1024x768-light', '390x844-dark'];

interface View {
  size: { width: number; height: number };
  theme: 'light' | 'dark';
}

/** Reads `WIDTHxHEIGHT-THEME`, in pixels. */
function viewOf(text: string): View {
  const [, width, height, theme] = /^(\d+)x(\d+)-(light|dark)$/.exec(text) ?? [];
  if (theme !== 'light' && theme !== 'dark') throw new Error(`--view ${text}: write it as 390x844-dark`);
  return { size: { width: Number(width), height: Number(height) }, theme };
}

/** Opens pages in one window of a view and writes `<name>-<width>-<theme>.png`; prints what the browser complains about. */
async function takeViews(
  dashboard: Dashboard,
  { size, theme }: View,
  wanted: (name: string) => boolean,
  folder: string,
): Promise<void> {
  const take = async (page: Page, name: string, url: string) => {
    const complaints = complaintsOf(page);
    await page.goto(url);
    await settled(page);
    await page.screenshot({ path: join(folder, `${name}-${size.width}-${theme}.png`) });
    page.removeAllListeners('console').removeAllListeners('pageerror');
    for (const complaint of complaints) process.stderr.write(`${name} (${size.width}, ${theme}): ${complaint}\n`);
  };
  const page = await dashboard.open({ theme });
  await page.setViewportSize(size);
  for (const [name, path] of everyPage) if (wanted(name)) await take(page, name, dashboard.address(path));
  await page.context().close();
  if (!wanted('sign-in')) return;
  const signedOut = await dashboard.open({ as: null, theme });
  await signedOut.setViewportSize(size);
  await take(signedOut, 'sign-in', dashboard.service.url);
  await signedOut.context().close();
}

const { values, positionals } = parseArgs({
  options: { view: { type: 'string', multiple: true, default: defaultViews }, to: { type: 'string' } },
  allowPositionals: true,
});
const views = values.view.map(viewOf);
const folder = resolve(values.to ?? join(import.meta.dirname, '../../screenshots'));
await buildDashboard();
await mkdir(folder, { recursive: true });
const dashboard = await startDashboard();
try {
  for (const view of views)
    await takeViews(dashboard, view, (name) => positionals.length === 0 || positionals.includes(name), folder);
} finally {
  await dashboard.close();
  await dashboard.browser.close();
}
process.stdout.write(`screenshots are in ${folder}\n`);
