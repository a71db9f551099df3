import { describe, expect, test } from 'vitest';
import { owner, settled, viewer } from './dashboard.ts';
import { failureText, toolTraceId } from './special-traces.ts';
import { dashboard, focused, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

test('signing in returns to the requested page; signing out leaves it', async () => {
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

test('Back leaves the sign-in page, and after signing in the page that asked for it', async () => {
  await openAs(null, '/models');
  await page.getByLabel('Email').waitFor();
  await page.goBack();
  expect(page.url()).toBe('about:blank');
  await page.goForward();
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Models' }).waitFor();
  await page.goBack();
  expect(page.url()).toBe('about:blank');
});

test('a user changes the password, which ends their other sessions', async () => {
  await openAs('viewer', '', { alone: true });
  const other = await dashboard.open({ as: 'viewer' });
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change password' });
  const current = dialog.getByLabel('Current password');
  const fresh = dialog.getByLabel('New password');
  await expect.poll(() => current.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await current.getAttribute('autocomplete')).toBe('current-password');
  expect(await fresh.getAttribute('autocomplete')).toBe('new-password');
  await current.fill('not the password');
  await fresh.fill('short');
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Must have at least 8 characters.' }).waitFor();
  await fresh.fill('known to one person');
  await dialog.getByRole('switch', { name: 'Show passwords' }).click();
  expect([await current.getAttribute('type'), await fresh.getAttribute('type')]).toEqual(['text', 'text']);
  await fresh.press('Enter');
  await dialog.getByRole('alert').filter({ hasText: 'This is not your current password.' }).waitFor();
  await expect.poll(() => current.evaluate((field) => field === document.activeElement)).toBe(true);
  await current.fill(viewer.password);
  await page.keyboard.press('Enter');
  await page.getByText('Password changed', { exact: true }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(focused).toMatch(/^Account/);
  const session = async (of: typeof page) => (await of.request.get('/v1/auth/session')).status();
  expect([await session(page), await session(other)]).toEqual([200, 401]);
  await other.context().close();
  const headers = { 'content-type': 'application/json' };
  const login = async (password: string) => {
    const body = JSON.stringify({ email: viewer.email, password });
    return (await fetch(`${dashboard.service.url}/v1/auth/login`, { method: 'POST', headers, body })).status;
  };
  expect([await login(viewer.password), await login('known to one person')]).toEqual([401, 200]);
});

test('a failed trace is found by its error message, and the trace page shows the error', async () => {
  await openAs('owner', '/traces');
  await page.getByRole('searchbox').fill(failureText);
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(failureText);
  await settled(page);
  await page.getByRole('link', { name: 'checkout' }).click();
  await page.getByRole('link', { name: 'Open trace' }).click();
  await page.getByRole('button', { name: /^\d+ failed spans?$/ }).click();
  const failed = page.getByRole('region', { name: 'Failed spans' });
  await failed.getByText(failureText).waitFor();
  await failed.getByRole('button', { name: 'execute_tool quokka' }).click();
  await page.getByRole('note', { name: 'Error' }).getByText(failureText).waitFor();
  expect(new URL(page.url()).searchParams.get('span')).toBe('lookup');
  // The URL contains the view.
  const copy = await page.context().newPage();
  await copy.goto(page.url());
  await copy.getByRole('note', { name: 'Error' }).getByText(failureText).waitFor();
});

test('the span tree collapses, filters and is navigated with the keyboard', async () => {
  await openAs('owner', `/traces/${toolTraceId}`);
  const grid = page.getByRole('treegrid', { name: 'Spans' });
  await expect.poll(() => grid.getByRole('row').count()).toBe(5);
  await grid.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => grid.getByRole('row').count()).toBe(1);
  await page.keyboard.press('ArrowRight');
  // A second key counts from the row of the first, which the URL does not have yet.
  await grid.evaluate((tree) => {
    for (let press = 0; press < 2; press++) tree.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
  });
  await page.getByRole('region', { name: 'Span' }).getByRole('heading', { name: 'execute_tool forecast' }).waitFor();
  await page.getByLabel('Filter spans').fill('guardrail');
  await expect.poll(() => grid.getByRole('row').count()).toBe(2);
  await page.getByText('1 of 5').waitFor();
});

test('a tool call shows its result, and the conversation is available as JSON', async () => {
  await openAs('owner', `/traces/${toolTraceId}?span=answer`);
  const input = page.getByRole('region', { name: 'Input' });
  await input.getByText('"rain_mm": 7.2').waitFor();
  expect(await input.getByText('no result', { exact: true }).count()).toBe(0);
  await input.getByRole('button', { name: 'JSON' }).click();
  await input.getByRole('textbox', { name: 'Input' }).waitFor();
});

test('filters and columns are in the URL', async () => {
  await openAs('owner', '/traces');
  await settled(page);
  const facet = page.getByRole('complementary', { name: 'Facets' }).getByRole('region', { name: 'Environment' });
  await facet.getByRole('button', { name: /^staging/ }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe('environment:staging');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Environment' }).click();
  await page.keyboard.press('Escape');
  await settled(page);
  const headings = await page.getByRole('table').locator('thead th').allInnerTexts();
  const column = headings.findIndex((heading) => heading.includes('Environment')) + 1;
  const shown = await page.getByRole('table').locator(`tbody tr[aria-rowindex] > :nth-child(${column})`).allInnerTexts();
  expect(new Set(shown)).toEqual(new Set(['staging']));
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.has('filter')).toBe(false);
  expect(new URL(page.url()).searchParams.getAll('columns')).toContain('environment');
});

test('the live list shows new traces', async () => {
  await openAs('owner', '/traces');
  await page.getByRole('button', { name: 'Live' }).click();
  const now = new Date().toISOString();
  const event = { type: 'span', traceId: 'live-trace', spanId: 's', name: 'arrived just now', startTime: now, endTime: now };
  await dashboard.send([event]);
  await page.getByRole('link', { name: 'arrived just now' }).waitFor();
});

test('a running trace shows its duration and new spans; the selection stays', async () => {
  const started = Date.now() - 30_000;
  const span = (spanId: string, fields: object) => ({
    type: 'span',
    traceId: 'running-trace',
    spanId,
    name: `step ${spanId}`,
    startTime: new Date(started).toISOString(),
    ...fields,
  });
  const ended = { endTime: new Date(started + 1500).toISOString() };
  await dashboard.send([span('root', {}), span('first', { parentSpanId: 'root', ...ended })]);
  await openAs('owner', '/start');
  const rows = page.getByRole('treegrid', { name: 'Spans' }).getByRole('row');
  // Ingestion is asynchronous.
  const reads = () => page.request.get(`/v1/projects/${dashboard.projectId}/traces/running-trace`);
  await expect.poll(async () => (await reads()).status()).toBe(200);
  await page.goto(`${dashboard.root}/traces/running-trace?span=first`);
  await rows.filter({ hasText: /running, (?:[3-9]\d(?:\.\d)?s|\d+m)/ }).waitFor();
  await page.getByText('running', { exact: true }).waitFor();
  await dashboard.send([span('second', { parentSpanId: 'root', ...ended })]);
  await rows.filter({ hasText: 'step second' }).waitFor();
  await page.getByRole('region', { name: 'Span' }).getByRole('heading', { name: 'step first' }).waitFor();
  await dashboard.send([span('root', { endTime: new Date(started + 2000).toISOString() })]);
  await expect.poll(() => page.getByText('running').count()).toBe(0);
});

test('Back removes a filter', async () => {
  await openAs('owner', '/traces');
  await page.getByRole('button', { name: 'Errors' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe('status:error');
  await page.getByRole('searchbox').fill('rate');
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('rate');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

test('the palette opens a model; its page has charts with tables and a comparison', async () => {
  await openAs('owner', '');
  await settled(page);
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Go to page, record, project or ID').fill('sonnet');
  await page.getByRole('option', { name: /^claude-sonnet-4-5-20250929/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'claude-sonnet-4-5-20250929' }).waitFor();
  await page
    .getByText(/(?:cheaper|more expensive|× the cost|same cost), .*quality/)
    .first()
    .waitFor();
  await page.getByRole('img', { name: /^Chart: Cost and quality/ }).waitFor();
  await page.getByRole('button', { name: 'Show as table' }).first().click();
  await page.getByRole('table', { name: 'Daily calls' }).getByRole('columnheader', { name: 'Day (UTC)' }).waitFor();
});

test('the overview lists unpriced models', async () => {
  await openAs('owner', '');
  const notice = page.getByRole('note').filter({ hasText: 'partly or wholly unpriced' });
  await notice.getByRole('link', { name: 'acme/llama-3.3-70b-support-ft' }).click();
  await page.getByRole('heading', { level: 1, name: 'acme/llama-3.3-70b-support-ft' }).waitFor();
});

test('the overview is grouped by model or agent, in the URL', async () => {
  await openAs('owner', '?range=7d');
  await page.getByRole('table', { name: 'Models', exact: true }).waitFor();
  await page.getByRole('button', { name: 'By agent' }).click();
  const agents = page.getByRole('table', { name: 'Agents', exact: true });
  await agents.waitFor();
  expect(new URL(page.url()).search).toBe('?range=7d&by=agent');
  await page.reload();
  await agents.getByRole('link', { name: 'research-assistant' }).click();
  await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?range=7d&filter=agent%3Aresearch-assistant');
});

test('the sort of the models is in the URL of the list only', async () => {
  await openAs('owner', '/models');
  const calls = page.getByRole('columnheader', { name: 'Calls' });
  await calls.getByRole('button').click();
  await expect.poll(() => new URL(page.url()).search).toBe('?order=-calls');
  await page.reload();
  await calls.waitFor();
  expect(await calls.getAttribute('aria-sort')).toBe('descending');
  await page.getByRole('link', { name: 'gpt-4o-2024-08-06' }).click();
  await page.getByRole('heading', { level: 1, name: 'gpt-4o-2024-08-06' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('a session shows its turns', async () => {
  await openAs('owner', '/sessions');
  await page.getByRole('searchbox').fill('weather');
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('weather');
  await settled(page);
  await page.getByRole('link', { name: 'weather-chat' }).click();
  await page.getByText('Do I need an umbrella in Utrecht tomorrow?').waitFor();
  await page.getByText('Yes: 7 mm of rain and a strong wind.').waitFor();
});

test('a new project waits for its first span and shows when it arrives', async () => {
  await openAs('owner', '/settings/organization');
  await page.getByLabel('Name', { exact: true }).fill('Fresh');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByText('Waiting for the first span…').waitFor();
  await page.getByRole('button', { name: 'Create API key' }).click();
  const key = await page.getByLabel('API key', { exact: true }).innerText();
  expect(key).toMatch(/^spw_[0-9A-Za-z]{36}$/);
  for (const way of ['Vercel AI SDK', 'LangChain', 'Python over OTLP', 'Python', 'TypeScript']) {
    await page.getByRole('tab', { name: way, exact: true }).click();
    expect(await page.getByLabel('Program', { exact: true }).innerText(), way).toContain(key);
  }
  await page.getByRole('tab', { name: 'OpenTelemetry' }).click();
  expect(await page.getByLabel('Exporter environment variables', { exact: true }).innerText()).toContain(`x-api-key=${key}`);
  expect(await page.getByLabel('MCP command', { exact: true }).innerText()).toContain(`/mcp --header "x-api-key: ${key}"`);
  await page.getByRole('tab', { name: 'curl' }).click();
  expect(new URL(page.url()).searchParams.get('way')).toBe('curl');
  const command = await page.getByLabel('curl command to send a span', { exact: true }).innerText();
  expect(command).toContain(key);
  const { execFile } = await import('node:child_process');
  await new Promise<void>((resolve, reject) => {
    execFile('bash', ['-c', command], (error, stdout) =>
      error ? reject(error) : resolve(expect(stdout).toContain('"accepted":1')),
    );
  });
  await page.getByText('Received the first span').waitFor();
  await page.goto(page.url().replace(/start.*/, 'settings/clients'));
  await page.getByRole('table', { name: 'Clients' }).getByRole('row').filter({ hasText: 'curl' }).waitFor();
});

describe('API keys', () => {
  test('a double click creates one key; the secret stays until it is dismissed', async () => {
    await openAs('owner', '/settings/keys');
    let made = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') made += 1;
    });
    await page.getByLabel('Name', { exact: true }).fill('clicked twice');
    await page.getByRole('button', { name: 'Create API key' }).dblclick();
    const secret = page.getByLabel('Secret', { exact: true });
    await secret.waitFor();
    await settled(page);
    expect(made).toBe(1);
    await page.mouse.click(20, 400);
    await settled(page);
    expect(await secret.count()).toBe(1);
    await page.keyboard.press('Escape');
    await secret.waitFor({ state: 'detached' });
    await page.getByLabel('Name', { exact: true }).fill('entered twice');
    await page.getByRole('button', { name: 'Create API key' }).evaluate((button: HTMLButtonElement) => {
      for (let press = 0; press < 2; press++) button.click();
    });
    await secret.waitFor();
    await settled(page);
    expect(made).toBe(2);
    await page.getByRole('button', { name: 'Done' }).click();
    const rotate = page.getByRole('button', { name: 'Rotate clicked twice' });
    await rotate.click();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(focused).toBe('Rotate clicked twice');
  });

  test('a key is limited to scopes, and its scopes are changed', async () => {
    await openAs('owner', '/settings/keys');
    await page.getByLabel('Name', { exact: true }).fill('sender');
    await page.getByLabel('Access').selectOption('scopes');
    await page.getByLabel('Expires after').selectOption('30');
    const create = page.getByRole('button', { name: 'Create API key' });
    expect(await create.isDisabled()).toBe(true);
    await page.getByLabel(/^ingest: /).check();
    await page.getByLabel(/^prompts:read: /).check();
    await create.click();
    const key = await page.getByLabel('Secret', { exact: true }).innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    const scopes = page.getByRole('list', { name: 'Scopes of sender' });
    expect(await scopes.getByRole('listitem').allInnerTexts()).toEqual(['ingest', 'prompts:read']);
    await page.getByRole('row').filter({ hasText: 'sender' }).getByText('Expires').waitFor();
    const prompts = async () => (await fetch(`${dashboard.service.url}/v1/prompts`, { headers: { 'x-api-key': key } })).status;
    expect(await prompts()).toBe(200);
    await page.getByRole('button', { name: 'Edit sender' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^prompts:read: /).uncheck();
    await dialog.getByLabel('Expires after').selectOption('never');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('API key saved', { exact: true }).waitFor();
    await expect.poll(() => scopes.getByRole('listitem').allInnerTexts()).toEqual(['ingest']);
    expect(await prompts()).toBe(403);
    expect(await page.getByRole('row').filter({ hasText: 'sender' }).getByText('Expires').count()).toBe(0);
  });

  test('a key is created, shown once, rotated and revoked', async () => {
    await openAs('owner', '/settings/keys');
    await page.getByLabel('Name', { exact: true }).fill('checkout service');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const first = await page.getByLabel('Secret', { exact: true }).innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Rotate checkout service' }).click();
    await page.getByLabel('Grace period').selectOption('0');
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    const second = await page.getByLabel('Secret', { exact: true }).innerText();
    expect(second).not.toBe(first);
    const whoami = async (key: string) =>
      (await fetch(`${dashboard.service.url}/v1/sdk/whoami`, { headers: { 'x-api-key': key } })).status;
    expect([await whoami(first), await whoami(second)]).toEqual([401, 200]);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke checkout service' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('API key revoked', { exact: true }).waitFor();
    expect(await whoami(second)).toBe(401);
  });
});
