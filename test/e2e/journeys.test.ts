import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { complaintsOf, owner, settled, startDashboard } from './dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import { failureText, toolTraceId } from './special-traces.ts';

let dashboard: Dashboard;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

async function openAs(as: 'owner' | 'viewer' | null, path: string): Promise<void> {
  page = await dashboard.open({ as });
  complaints = complaintsOf(page);
  await page.goto(`${dashboard.root}${path}`);
}
afterEach(async () => {
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('signing in leads back to the page that was asked for, and signing out away from it', async () => {
  await openAs(null, '/models?range=7d');
  await page.getByRole('heading', { name: 'Spanwise' }).waitFor();
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password').fill(owner.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Models' }).waitFor();
  expect(new URL(page.url()).search).toBe('?range=7d');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Email').waitFor();
  await page.goto(`${dashboard.root}/traces`);
  await page.getByLabel('Email').waitFor();
});

test('a failing trace is found by the text of its error, and its waterfall shows why it failed', async () => {
  await openAs('owner', '/traces');
  await page.getByRole('searchbox').fill(failureText);
  await page.getByRole('link', { name: 'checkout' }).click();
  const failed = page.getByRole('region', { name: 'Failed spans' });
  await failed.getByText(failureText).waitFor();
  await failed.getByRole('button', { name: 'execute_tool quokka' }).click();
  await page.getByRole('note', { name: 'Error' }).getByText(failureText).waitFor();
  expect(new URL(page.url()).searchParams.get('span')).toBe('lookup');
  // The link is the view.
  const copy = await page.context().newPage();
  await copy.goto(page.url());
  await copy.getByRole('note', { name: 'Error' }).getByText(failureText).waitFor();
});

test('the tree folds, filters and is walked with the keyboard', async () => {
  await openAs('owner', `/traces/${toolTraceId}`);
  const grid = page.getByRole('treegrid', { name: 'Spans' });
  await expect.poll(() => grid.getByRole('row').count()).toBe(5);
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => grid.getByRole('row').count()).toBe(1);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('region', { name: 'Span' }).getByRole('heading', { name: 'execute_tool forecast' }).waitFor();
  await page.getByLabel('Filter spans').fill('guardrail');
  await expect.poll(() => grid.getByRole('row').count()).toBe(2);
  await page.getByText('1 of 5').waitFor();
});

test('a call of a tool stands with its result, and JSON is there beside the conversation', async () => {
  await openAs('owner', `/traces/${toolTraceId}?span=answer`);
  const input = page.getByRole('region', { name: 'Input' });
  await input.getByText('"rain_mm": 7.2').waitFor();
  expect(await input.getByText('no result here').count()).toBe(0);
  await input.getByRole('button', { name: 'JSON' }).click();
  await input.getByRole('textbox', { name: 'Input' }).waitFor();
});

test('filters are chips and stand in the URL', async () => {
  await openAs('owner', '/traces');
  await settled(page);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Field').selectOption('environment');
  await page.getByLabel('Value').fill('staging');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove the filter Environment' }).waitFor();
  expect(new URL(page.url()).searchParams.get('environment')).toBe('staging');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Environment' }).click();
  await page.keyboard.press('Escape');
  await settled(page);
  const shown = await page.getByRole('table').locator('tbody tr td:nth-child(4)').allInnerTexts();
  expect(new Set(shown)).toEqual(new Set(['staging']));
  await page.getByRole('button', { name: 'Remove the filter Environment' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.has('environment')).toBe(false);
});

test('the live tail shows a trace that arrives', async () => {
  await openAs('owner', '/traces');
  await page.getByRole('button', { name: 'Live' }).click();
  const now = new Date().toISOString();
  const event = { type: 'span', traceId: 'live-trace', spanId: 's', name: 'arrived just now', startTime: now, endTime: now };
  const answer = await fetch(`${dashboard.service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': dashboard.service.apiKey, 'content-type': 'application/x-ndjson' },
    body: JSON.stringify(event),
  });
  expect(answer.status).toBe(202);
  await page.getByRole('link', { name: 'arrived just now' }).waitFor({ timeout: 10_000 });
});

test('a model is found over the palette; its page has charts, tables behind them and deltas in words', async () => {
  await openAs('owner', '');
  await settled(page);
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('A page, project, model or trace id…').fill('sonnet');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'claude-sonnet-4-5-20250929' }).waitFor();
  await page
    .getByText(/^costs .* (?:more|less|times as much) and scores/)
    .first()
    .waitFor();
  await page.getByRole('img', { name: /^Chart: Cost and quality/ }).waitFor();
  await page.getByRole('button', { name: 'Show as table' }).first().click();
  await page.getByRole('table', { name: 'Calls' }).getByRole('columnheader', { name: 'Day (UTC)' }).waitFor();
});

test('the overview calls out what has no price', async () => {
  await openAs('owner', '');
  const notice = page.getByRole('note').filter({ hasText: 'no known price' });
  await notice.getByRole('link', { name: 'acme/llama-3.3-70b-support-ft' }).click();
  await page.getByRole('heading', { level: 1, name: 'acme/llama-3.3-70b-support-ft' }).waitFor();
});

test('a session is read turn by turn', async () => {
  await openAs('owner', '/sessions');
  await page.getByRole('searchbox').fill('weather');
  await page.getByRole('link', { name: 'weather-chat' }).click();
  await page.getByText('Do I need an umbrella in Utrecht tomorrow?').waitFor();
  await page.getByText('Yes: 7 mm of rain and a strong wind.').waitFor();
});

test('a new project waits for its first span and turns green when it arrives', async () => {
  await openAs('owner', '/settings/organization');
  await page.getByLabel('Name', { exact: true }).fill('Fresh');
  await page.getByRole('button', { name: 'Make a project' }).click();
  await page.getByText('Waiting for your first span…').waitFor();
  await page.getByRole('button', { name: 'Make a key' }).click();
  const key = await page.getByLabel('API key', { exact: true }).innerText();
  expect(key).toMatch(/^spw_[0-9A-Za-z]{36}$/);
  const command = await page.getByLabel('curl that sends a span', { exact: true }).innerText();
  expect(command).toContain(key);
  const { execFile } = await import('node:child_process');
  await new Promise<void>((resolve, reject) => {
    execFile('bash', ['-c', command], (error, stdout) =>
      error ? reject(error) : resolve(expect(stdout).toContain('"accepted":1')),
    );
  });
  await page.getByText('Spans are arriving').waitFor({ timeout: 15_000 });
});

describe('API keys', () => {
  test('one is made, shown once, rotated and revoked', async () => {
    await openAs('owner', '/settings/keys');
    await page.getByLabel('New key').fill('checkout service');
    await page.getByRole('button', { name: 'Make a key' }).click();
    const first = await page.getByLabel('Secret', { exact: true }).innerText();
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.getByRole('button', { name: 'Rotate checkout service' }).click();
    await page.getByLabel('The old secret works for another').selectOption('0');
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    const second = await page.getByLabel('Secret', { exact: true }).innerText();
    expect(second).not.toBe(first);
    const whoami = async (key: string) =>
      (await fetch(`${dashboard.service.url}/v1/sdk/whoami`, { headers: { 'x-api-key': key } })).status;
    expect([await whoami(first), await whoami(second)]).toEqual([401, 200]);
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.getByRole('button', { name: 'Revoke checkout service' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('The key was revoked.', { exact: true }).waitFor();
    expect(await whoami(second)).toBe(401);
  });
});

describe('a viewer', () => {
  test('sees no write action', async () => {
    for (const path of [`/traces/${toolTraceId}`, '/settings/members', '/settings/organization', '/start']) {
      await openAs('viewer', path);
      await settled(page);
      expect(await page.getByRole('button', { name: /delete|remove|rename|revoke|rotate|make a|add a/i }).count(), path).toBe(0);
      if (path !== '/start') await page.context().close();
    }
  });

  test('is told which permission is missing', async () => {
    await openAs('viewer', '/settings/keys');
    await page.getByText('keys:manage').waitFor();
    expect(await page.getByRole('button', { name: /make a key/i }).count()).toBe(0);
  });
});

describe('the frame', () => {
  beforeEach(() => openAs('owner', ''));

  test('keeps the chosen theme', async () => {
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    await page.reload();
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  });

  test('has a link over the navigation as the first stop of the keyboard', async () => {
    await settled(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  test('carries the time range along', async () => {
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByRole('menuitem', { name: 'Last 7 days' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Traces' }).click();
    await page.getByRole('heading', { name: 'Traces' }).waitFor();
    expect(new URL(page.url()).searchParams.get('range')).toBe('7d');
  });
});
