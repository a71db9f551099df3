import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { triagePrompt } from './special-prompts.ts';
import { dashboard, intercept, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const triage = `/prompts/${encodeURIComponent(triagePrompt)}`;

/** The response for an application. */
async function fetched(name: string, parameters = ''): Promise<{ status: number; version: number; resolvedPrompt: unknown }> {
  const answer = await fetch(`${dashboard.service.url}/v1/prompts?name=${encodeURIComponent(name)}${parameters}`, {
    headers: { 'x-api-key': dashboard.service.apiKey },
  });
  return { status: answer.status, ...((await answer.json()) as { version: number; resolvedPrompt: unknown }) };
}

const versions = () => page.getByRole('navigation', { name: 'Versions' });

test('folder, tag and search filter the list, in the URL', async () => {
  await openAs('owner', '/prompts');
  const table = page.getByRole('table', { name: 'Prompts' });
  await table.getByRole('link', { name: 'research/answer' }).waitFor();
  await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'support', exact: true }).click();
  await expect.poll(() => table.getByRole('link').allInnerTexts()).toEqual(['billing/resolve', triagePrompt]);
  await page.getByRole('button', { name: 'triage', exact: true }).click();
  await expect.poll(() => table.getByRole('link').allInnerTexts()).toEqual([triagePrompt]);
  const url = new URL(page.url());
  expect([url.searchParams.get('folder'), url.searchParams.get('tag')]).toEqual(['support', 'triage']);
  await page.getByRole('button', { name: 'Remove filter Tag' }).click();
  await page.getByRole('searchbox').fill('RESOLVE');
  await expect.poll(() => table.getByRole('link').allInnerTexts()).toEqual(['billing/resolve']);
  await page.getByRole('searchbox').fill('no such name');
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await table.getByRole('link', { name: 'summary' }).waitFor();
});

test('a label is moved after a confirmation that shows the effects', async () => {
  await openAs('owner', triage);
  await versions()
    .getByRole('link', { name: /^Version 4/ })
    .click();
  await page.getByRole('button', { name: 'Label', exact: true }).click();
  await page.getByRole('menuitem', { name: /^production/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Move production to version 4?' });
  await dialog.getByText('get version 4 instead of version 3').waitFor();
  expect((await fetched(triagePrompt)).version).toBe(3);
  await dialog.getByRole('button', { name: 'Move' }).click();
  await page.getByText('Moved production to version 4', { exact: true }).waitFor();
  await versions()
    .getByRole('link', { name: /^Version 4 .*production/ })
    .waitFor();
  await expect.poll(async () => (await fetched(triagePrompt)).version).toBe(4);

  // A new label.
  await page.getByRole('button', { name: 'Label', exact: true }).click();
  await page.getByRole('menuitem', { name: 'New label…' }).click();
  await page.getByLabel('Label', { exact: true }).fill('latest');
  await page.getByText('latest is reserved for the newest version').waitFor();
  await page.getByLabel('Label', { exact: true }).fill('canary');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Move canary to version 4?' }).getByRole('button', { name: 'Move' }).click();
  await expect.poll(async () => (await fetched(triagePrompt, '&label=canary')).version).toBe(4);
});

test('two versions are compared with changed words marked', async () => {
  await openAs('owner', `${triage}?view=compare&version=4`);
  const table = page.getByRole('table', { name: 'Prompt: Version 3 and Version 4' });
  await table.locator('ins', { hasText: 'somebody cannot sign in' }).waitFor();
  await page.getByRole('table', { name: 'Configuration: Version 3 and Version 4' }).getByText('response_format').waitFor();
  await page.getByLabel('Baseline').selectOption('1');
  await page.getByRole('table', { name: 'Prompt: Version 1 and Version 4' }).waitFor();
  await page.getByRole('button', { name: 'Swap versions' }).click();
  await page.getByRole('table', { name: 'Prompt: Version 4 and Version 1' }).waitFor();
  const { searchParams } = new URL(page.url());
  expect([searchParams.get('version'), searchParams.get('with')]).toEqual(['1', '4']);
});

test('references are links, and the resolved prompt contains their text', async () => {
  await openAs('owner', triage);
  const content = page.getByRole('group', { name: 'Content' });
  await content.getByRole('button', { name: 'Resolved' }).click();
  await content.getByText('Never promise a date that you do not know.').waitFor();
  await content.getByRole('button', { name: 'Source' }).click();
  await content.getByRole('link', { name: '{{> house/tone }}' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'house/tone' }).waitFor();
});

test('metrics by version over the range, as charts with tables', async () => {
  await openAs('owner', `${triage}?view=metrics`);
  const table = page.getByRole('table', { name: 'Metrics by version' });
  await table.getByRole('link', { name: 'Version 3', exact: true }).waitFor();
  await page.getByRole('img', { name: /^Chart: Error rate/ }).waitFor();
  await page.getByRole('button', { name: /^Time range/ }).click();
  await page.getByRole('menuitem', { name: 'Last 7 days' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe('7d');
  await table.getByRole('link', { name: 'Version 4', exact: true }).click();
  await page.getByRole('heading', { level: 2, name: 'Version 4' }).waitFor();
});

test('tags and folder are edited in place, with errors at the field', async () => {
  await openAs('owner', '/prompts/summary');
  await page.getByRole('button', { name: 'Add tag' }).click();
  await page.getByLabel('New tag').fill('internal');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove tag tools' }).click();
  await expect.poll(() => page.getByRole('group', { name: 'Tags' }).getByRole('link').allInnerTexts()).toEqual(['internal']);
  await page.getByRole('button', { name: 'Change folder' }).click();
  await page.getByLabel('Folder', { exact: true }).fill('a/../b');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Must not have an empty segment').waitFor();
  await page.getByLabel('Folder', { exact: true }).fill('tools/text');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'tools/text' }).waitFor();
});

test('a new version is edited: highlighted, previewed, rejected at its field, undone, saved', async () => {
  await openAs('owner', '/prompts/summary/new-version');
  const editor = page.getByRole('textbox', { name: 'Prompt text' });
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Go on, {{name}}:\n{{> house/tone }} {{> gone }}');
  await editor.locator('.cm-variable', { hasText: '{{name}}' }).waitFor();
  await editor.locator('.cm-reference', { hasText: '{{> gone }}' }).waitFor();
  // Typing is not a shortcut of the dashboard.
  expect(new URL(page.url()).pathname).toMatch(/new-version$/);
  const preview = page.locator('section', { hasText: 'Resolved preview' });
  await preview.getByText('Never promise a date').waitFor();
  await preview.getByText('Prompt not found.').waitFor();
  await page.getByRole('button', { name: 'Save version' }).click();
  await page.getByRole('group', { name: 'Prompt', exact: true }).getByRole('alert').getByText('has no target').waitFor();

  await editor.click();
  await page.keyboard.press('Control+End');
  for (const _character of '{{> gone }}') await page.keyboard.press('Backspace');
  const configuration = page.getByRole('textbox', { name: 'Configuration as JSON' });
  await configuration.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('{"temperature": ');
  await page.getByRole('button', { name: 'Save version' }).click();
  await page.getByText('Invalid JSON').waitFor();
  await configuration.click();
  // On a slow machine the typing is several steps of the history.
  const undone = async () => {
    await page.keyboard.press('Control+z');
    return configuration.innerText();
  };
  await expect.poll(undone).toBe('{}');
  await page.getByLabel('Commit message').fill('Goes on');
  await page.getByRole('button', { name: 'Save version' }).click();
  await page.getByRole('heading', { level: 2, name: 'Version 2' }).waitFor();
  await page.getByText('Goes on').first().waitFor();
  expect((await fetched('summary', '&version=2')).resolvedPrompt).toBe(
    'Go on, {{name}}:\nBe friendly and brief.\nNever promise a date that you do not know. ',
  );
});

test('a chat prompt is created from messages; an existing name is rejected; leaving asks for confirmation', async () => {
  await openAs('owner', '/new-prompt');
  await page.getByLabel('Name', { exact: true }).fill('summary');
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await page.getByRole('textbox', { name: 'Message 1' }).click();
  await page.keyboard.type('Be kind.');
  await page.getByRole('textbox', { name: 'Message 2' }).click();
  await page.keyboard.type('{{question}}');
  await page.getByRole('button', { name: 'Move up' }).nth(1).click();
  await page.getByRole('button', { name: 'Create prompt' }).click();
  await page.getByText('A prompt with this name exists.').waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Prompts' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('Name', { exact: true }).fill('kind answer');
  await page.getByRole('button', { name: 'Create prompt' }).click();
  await page.getByRole('heading', { level: 1, name: 'kind answer' }).waitFor();
  expect((await fetched('kind answer')).resolvedPrompt).toEqual([
    { role: 'user', content: '{{question}}' },
    { role: 'system', content: 'Be kind.' },
  ]);
});

test('a referenced prompt is not deleted and the references are named; another one is deleted', async () => {
  await openAs('owner', '/prompts/house%2Ftone');
  await page.getByRole('button', { name: 'Delete prompt' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const alert = page.getByRole('dialog').getByRole('alert');
  await alert.getByText('billing/resolve').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.goto(dashboard.address('/prompts/research%2Fanswer'));
  await page.getByRole('button', { name: 'Delete prompt' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Prompt deleted', { exact: true }).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Prompts' }).waitFor();
  expect((await fetched('research/answer')).status).toBe(404);
});

test('the palette opens a prompt', async () => {
  await openAs('owner', '');
  await settled(page);
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Go to page, record, project or ID').fill('billing/res');
  await page.getByRole('option', { name: 'billing/resolve' }).click();
  await page.getByRole('heading', { level: 1, name: 'billing/resolve' }).waitFor();
});

test('a viewer sees everything and no write action', async () => {
  for (const path of ['/prompts', triage, `${triage}?view=compare`, `${triage}?view=metrics`]) {
    await openAs('viewer', path);
    await settled(page);
    const writing = page.getByRole('main').getByRole('button', { name: /delete|label$|move|change folder|^add tag$|^tag$|new/i });
    // The tag filter is not a write action.
    expect(await writing.count(), path).toBe(path === '/prompts' ? 1 : 0);
    expect(
      await page
        .getByRole('main')
        .getByRole('link', { name: /new prompt|new version|edit as/i })
        .count(),
      path,
    ).toBe(0);
  }
  await openAs('viewer', `${triage}/new-version`);
  await page.getByText('prompts:manage').waitFor();
});

/** Creates versions of a prompt, each with its labels. */
async function createPrompt(name: string, versions: ReadonlyArray<readonly string[]>): Promise<void> {
  for (const [index, labels] of versions.entries()) {
    const answer = await fetch(`${dashboard.service.url}/v1/prompts`, {
      method: 'POST',
      headers: { 'x-api-key': dashboard.service.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ name, prompt: `Text ${index + 1}`, labels }),
    });
    expect(answer.status).toBe(201);
  }
}

test('the list shows the labels of all versions with the version each is on', async () => {
  await createPrompt('labelled', [['production', 'stable'], ['canary'], []]);
  await openAs('owner', '/prompts?q=labelled');
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'labelled' }) });
  await row.getByText('production v1', { exact: true }).waitFor();
  await row.getByText('canary v2', { exact: true }).waitFor();
  await row.getByTitle('stable v1').waitFor();
});

test('a comparison starts with the version in production', async () => {
  await createPrompt('compared', [[], ['production'], [], []]);
  await openAs('owner', '/prompts/compared?view=compare');
  await page.getByRole('table', { name: 'Prompt: Version 2 and Version 4' }).waitFor();
  await versions()
    .getByRole('link', { name: /^Version 2/ })
    .click();
  await page.getByRole('table', { name: 'Prompt: Version 1 and Version 2' }).waitFor();
});

test('leaving an unsaved prompt asks each time', async () => {
  await openAs('owner', '/prompts');
  await page.getByRole('link', { name: 'New prompt' }).click();
  await page.getByLabel('Name').fill('half-written');
  const guard = page.getByRole('dialog', { name: 'Leave without saving?' });
  const stays = async () => {
    await guard.getByRole('button', { name: 'Cancel' }).click();
    await guard.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('half-written');
  };
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Models' });
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Evaluators' }).click();
  await stays();
  for (let round = 0; round < 2; round++) {
    await link.click();
    await stays();
    await page.evaluate(() => history.back());
    await stays();
  }
  await link.click();
  await page.keyboard.press('Escape');
  await guard.waitFor({ state: 'detached' });
  await page.evaluate(() => history.back());
  await guard.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { level: 1, name: 'Prompts' }).waitFor();
  await page.getByRole('link', { name: 'New prompt' }).click();
  await page.getByLabel('Name').fill('half-written');
  await link.click();
  await stays();
});

test('leaving asks for what was typed while the prompt was being saved', async () => {
  await openAs('owner', '/new-prompt');
  await page.getByLabel('Name').fill('typed-on');
  await page.getByRole('textbox', { name: 'Prompt text' }).click();
  await page.keyboard.type('First text');
  const { promise, resolve } = Promise.withResolvers<void>();
  await intercept(/\/v1\/prompts\?/, async (route) => {
    if (route.request().method() === 'POST') await promise;
    await route.continue();
  });
  const posted = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: 'Create prompt' }).click();
  await posted;
  await page.getByLabel('Commit message').fill('typed meanwhile');
  resolve();
  const guard = page.getByRole('dialog', { name: 'Leave without saving?' });
  await guard.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByLabel('Commit message').inputValue()).toBe('typed meanwhile');
});

test.each(['', '/new-version'])('a prompt that does not exist is named: %s', async (rest) => {
  await openAs('owner', `/prompts/no-such-prompt${rest}`);
  await page.getByText('Prompt not found').waitFor();
  await page.getByRole('link', { name: 'Back to prompts' }).click();
  await page.getByRole('heading', { level: 1, name: 'Prompts' }).waitFor();
});

test('a prompt that cannot be loaded says so, and is loaded again by a button', async () => {
  await openAs('owner', '/settings/organization');
  const versions = '**/v1/prompts/*/versions?*';
  await page.route(versions, (route) => route.fulfill({ status: 500, json: { error: 'Try later.', code: 'internal' } }));
  await page.goto(dashboard.address('/prompts/summary'));
  await page.getByRole('alert').filter({ hasText: 'Try later.' }).waitFor();
  await page.unroute(versions);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('tab', { name: 'Metrics' }).waitFor();
});
