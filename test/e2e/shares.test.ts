import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { noProblems, problemsInBoth } from './axe.ts';
import { complaintsOf, settled } from './dashboard.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const traceId = 'shared-trace';
/** Texts of fields that a link never shows. */
const hidden = [
  'hiddensession',
  'hiddenuser',
  'hiddentag',
  'hiddenmetadata',
  'hiddenattribute',
  'hiddenrelease',
  'hiddenprompt',
  'hiddenlabel',
];
/** Texts that a link shows with its payloads. */
const contents = ['the question of a visitor', 'an answer for a visitor', 'the mailbox is full'];

beforeAll(async () => {
  const startMs = Date.now() - 60_000;
  const at = (index: number) => ({
    startTime: new Date(startMs + index * 1_000).toISOString(),
    endTime: new Date(startMs + index * 1_000 + 800).toISOString(),
  });
  const span = {
    type: 'span',
    traceId,
    sessionId: 'hiddensession',
    userId: 'hiddenuser',
    release: 'hiddenrelease',
    tags: ['hiddentag'],
    promptName: 'hiddenprompt',
    metadata: { kept: 'hiddenmetadata' },
    attributes: { kept: 'hiddenattribute' },
  };
  const tool = { id: 'call-1', type: 'function', function: { name: 'send_mail', arguments: '{"to":"ana.silva@example.com"}' } };
  await dashboard.send([
    {
      ...span,
      ...at(0),
      spanId: 'root',
      name: 'Mail agent',
      kind: 'agent',
      agentName: 'mailer',
      input: contents[0],
      output: contents[1],
    },
    {
      ...span,
      ...at(1),
      spanId: 'call',
      parentSpanId: 'root',
      name: 'chat',
      kind: 'llm',
      model: 'gpt-4o',
      usage: { inputTokens: 120, outputTokens: 40 },
      costUsd: 0.002,
      input: [{ role: 'user', content: contents[0] }],
      output: { role: 'assistant', content: contents[1], tool_calls: [tool] },
    },
    {
      ...span,
      ...at(2),
      spanId: 'tool',
      parentSpanId: 'root',
      name: 'send_mail',
      kind: 'tool',
      input: { to: 'ana.silva@example.com' },
      status: 'error',
      errorCode: 'MailboxFull',
      errorMessage: `550 ${contents[2]}`,
    },
    { type: 'score', traceId, spanId: 'call', evaluator: 'helpful', score: 1, label: 'hiddenlabel' },
  ]);
});

/** Makes a link in the dialog of the trace page. @param switches labels of the switches that are switched off */
async function makeLink(switches: readonly string[] = []): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Share trace' });
  if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Share', exact: true }).click();
  for (const label of switches) await dialog.getByRole('switch', { name: label }).click();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const snippet = dialog.locator('pre');
  await snippet.waitFor();
  const url = (await snippet.textContent())?.trim() ?? '';
  expect(url).toMatch(/\/share\/[\w-]{43}$/);
  return url;
}

/** A visitor without an account, with the paths that the page requests of the service. */
async function visit(
  url: string,
  size = { width: 1440, height: 900 },
): Promise<{ visitor: Page; requested: string[]; found: string[] }> {
  const visitor = await dashboard.open({ as: null });
  const found = complaintsOf(visitor);
  const requested: string[] = [];
  visitor.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!/^\/(assets|favicon)/.test(pathname)) requested.push(pathname);
  });
  await visitor.setViewportSize(size);
  await visitor.goto(url);
  await settled(visitor);
  return { visitor, requested, found };
}

/** What the page holds: its text, its markup and its title. */
const all = async (visitor: Page) =>
  `${await visitor.title()}\n${await visitor.content()}\n${await visitor.evaluate(() => document.body.innerText)}`;

/** Keeps what a page looks like where `SCREENSHOTS` names a folder. */
async function picture(of: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await of.screenshot({ path: join(folder, `${name}.png`) });
}

test('a link shows the trace to somebody without an account, and nothing that it must not', async () => {
  await openAs('owner', `/traces/${traceId}`);
  // Where its error is, on both pages.
  const opened = (of: Page) => of.getByRole('region', { name: 'Span', exact: true }).getByRole('heading', { name: 'send_mail' });
  await opened(page).waitFor();
  const url = await makeLink();
  await picture(page, 'dialog');
  const { visitor, requested, found } = await visit(url);
  const token = url.split('/').at(-1);
  expect(requested).toEqual([`/share/${token}`, `/v1/shares/${token}`]);
  await visitor.getByRole('heading', { level: 1, name: 'Mail agent' }).waitFor();
  await opened(visitor).waitFor();
  const pages: string[] = [await all(visitor)];
  await picture(visitor, 'shared');
  for (const name of ['Mail agent', 'chat', 'send_mail']) {
    await visitor.getByRole('treegrid', { name: 'Spans' }).getByText(name, { exact: true }).first().click();
    await settled(visitor);
    pages.push(await all(visitor));
  }
  await picture(visitor, 'shared-failed');
  await visitor.getByRole('button', { name: /^Trace/ }).click();
  await settled(visitor);
  pages.push(await all(visitor));
  await picture(visitor, 'shared-overview');
  const seen = pages.join('\n');
  for (const text of contents) expect(seen).toContain(text);
  expect(seen).toContain('[EMAIL]');
  const { projectId } = dashboard;
  for (const text of [...hidden, 'ana.silva@example.com', projectId, '/o/default']) expect(seen, text).not.toContain(text);
  expect(requested).toHaveLength(2);
  expect(await problemsInBoth(visitor)).toEqual(noProblems);
  await visitor.emulateMedia({ colorScheme: 'dark' });
  await picture(visitor, 'shared-dark');
  expect(found).toEqual([]);
  await visitor.context().close();
});

test('a link without payloads shows neither contents nor error messages; a narrow window shows all of it', async () => {
  await openAs('owner', `/traces/${traceId}`);
  const url = await makeLink(['Show inputs, outputs and error messages', 'Replace personal data and secrets']);
  const { visitor, found } = await visit(url, { width: 390, height: 844 });
  await visitor.getByText('This link does not show inputs and outputs.').waitFor();
  await picture(visitor, 'shared-narrow');
  await visitor.getByRole('treegrid', { name: 'Spans' }).getByText('send_mail', { exact: true }).click();
  await visitor.getByText('MailboxFull').first().waitFor();
  const seen = await all(visitor);
  for (const text of [...hidden, ...contents]) expect(seen, text).not.toContain(text);
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(found).toEqual([]);
  await visitor.context().close();
});

test('links are listed with their views and deleted; what they showed is then not found, with status 404', async () => {
  await openAs('owner', `/traces/${traceId}`);
  const url = await makeLink();
  const { visitor } = await visit(url);
  await visitor.context().close();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const rows = page.getByRole('dialog').getByRole('listitem');
  await rows.first().getByText('1 view').waitFor();
  const before = await rows.count();
  await rows.first().getByRole('button', { name: 'Delete link' }).click();
  await expect.poll(() => rows.count()).toBe(before - 1);
  const late = await dashboard.open({ as: null });
  const answer = await late.goto(url);
  expect(answer?.status()).toBe(404);
  await late.getByText('This link shows nothing').waitFor();
  await picture(late, 'shared-gone');
  expect(await problemsInBoth(late)).toEqual(noProblems);
  await late.context().close();
});

test('a viewer shares nothing; an owner switches links off and on', async () => {
  await openAs('viewer', `/traces/${traceId}`);
  await page.getByRole('heading', { level: 1, name: 'Mail agent' }).waitFor();
  await settled(page);
  expect(await page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
  await openAs('owner', `/traces/${traceId}`);
  const url = await makeLink();
  await page.goto(dashboard.address('/settings/organization'));
  await page.getByRole('switch', { name: 'Allow shared links' }).click();
  await page.getByText('Shared links switched off', { exact: true }).waitFor();
  await picture(page, 'settings');
  const { visitor } = await visit(url);
  await visitor.getByText('This link shows nothing').waitFor();
  await visitor.context().close();
  await page.goto(dashboard.address(`/traces/${traceId}`));
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByText('Shared links are switched off in this organization.').waitFor();
  await picture(page, 'dialog-off');
  await page.goto(dashboard.address('/settings/organization'));
  await page.getByRole('switch', { name: 'Allow shared links' }).click();
  await page.getByText('Shared links allowed', { exact: true }).waitFor();
});
