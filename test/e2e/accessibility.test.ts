import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noProblems, problemsInBoth } from './axe.ts';
import { complaintsOf, settled } from './dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import { discouragedWords } from './discouraged-words.ts';
import { everyPage } from './every-page.ts';
import { triagePrompt } from './special-prompts.ts';
import { toolTraceId } from './special-traces.ts';
import { commonDashboard } from './visit.ts';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await commonDashboard();
});

// every-page.test.ts has the pages of every-page.ts.
describe('axe finds no serious problem, light or dark', () => {
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    page = await dashboard.open();
    complaints = complaintsOf(page);
  });
  afterAll(() => page.context().close());

  test('other pages of the sidebar', async () => {
    await page.goto(dashboard.address(''));
    await settled(page);
    const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all();
    const paths = await Promise.all(
      links.map(async (link) => new URL((await link.getAttribute('href')) ?? '', page.url()).pathname),
    );
    expect(paths.length).toBeGreaterThan(5);
    const visited = new Set(everyPage.map(([, path]) => new URL(dashboard.address(path)).pathname.replace(/\/$/, '')));
    for (const path of paths.filter((one) => !visited.has(one.replace(/\/$/, '')))) {
      await page.goto(new URL(path, page.url()).href);
      await settled(page);
      expect(await problemsInBoth(page), path).toEqual(noProblems);
      expect(complaints.splice(0), path).toEqual([]);
    }
  });

  test('pages that do not exist', async () => {
    for (const address of [`${dashboard.root}/no-such-page`, `${dashboard.service.url}/o/default`]) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
      expect(await problemsInBoth(page)).toEqual(noProblems);
    }
  });

  test('the sign-in page', async () => {
    const stranger = await dashboard.open({ as: null });
    await stranger.goto(dashboard.service.url);
    await stranger.getByLabel('Email').waitFor();
    expect(await problemsInBoth(stranger)).toEqual(noProblems);
    await stranger.context().close();
  });

  test('an open menu, dialog and command palette', async () => {
    await page.goto(`${dashboard.root}/settings/keys`);
    await settled(page);
    await page.getByRole('button', { name: 'Rotate First key' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await problemsInBoth(page)).toEqual(noProblems);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menu').waitFor();
    expect(await problemsInBoth(page)).toEqual(noProblems);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to page, record, project or ID').waitFor();
    expect(await problemsInBoth(page)).toEqual(noProblems);
  });
});

const triage = encodeURIComponent(triagePrompt);

describe('menus and dialogs use plain wording', () => {
  let page: Page;
  beforeAll(async () => {
    page = await dashboard.open();
  });
  afterAll(() => page.context().close());

  test.each([
    ['', [/^Time range/], 'Custom range'],
    [`/traces/${toolTraceId}`, ['Delete trace'], "Spans and scores are removed from all metrics. This can't be undone."],
    [`/traces/${toolTraceId}?span=answer`, ['Add to dataset'], 'The recorded output. Edit this to the correct answer.'],
    [`/prompts/${triage}?version=4`, ['Label', /^production/], 'You can move it back at any time.'],
    ['/datasets', ['New dataset'], 'Purpose and source of the items'],
    ['/settings/connections', ['New connection'], 'Default model.'],
    ['/settings/tokens', [/^Account/, 'Change password'], 'At least 8 characters.'],
    ['/settings/members', ['Invite member'], 'Can view everything except API keys and the audit log'],
  ] as const)('%s, %s', async (path, names, expected) => {
    await page.goto(dashboard.address(path));
    for (const name of names) {
      const named = page.getByRole('button', { name, exact: true }).or(page.getByRole('menuitem', { name, exact: true }));
      await named.first().click();
    }
    await page.getByText(expected).or(page.getByPlaceholder(expected)).first().waitFor();
    expect(await discouragedWords(page)).toEqual([]);
  });
});
