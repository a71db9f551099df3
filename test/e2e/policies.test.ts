import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { applyFiles, cardGuardrail, environmentsFile, policyCall } from './special-policies.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const root = '/o/default/p/policy-lab';
let folder: string;
let caller: { cookie: string; projectId: string };

/** A project of its own, with one answer that has a card number. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spanwise-policies-'));
  const { service } = dashboard;
  const { cookie, organizationId } = await service.signIn();
  const post = async (path: string, body: object) => {
    const headers = { cookie, 'content-type': 'application/json' };
    const answer = await fetch(`${service.url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { id: string; key: string };
  };
  const { id: projectId } = await post(`/organizations/${organizationId}/projects`, { name: 'Policy lab' });
  caller = { cookie, projectId };
  const { key } = await post(`/projects/${projectId}/api-keys`, { name: 'lab' });
  const at = new Date().toISOString();
  const span = {
    type: 'span',
    traceId: 'card-trace',
    spanId: 'answer',
    kind: 'llm',
    name: 'chat',
    model: 'gpt-4o',
    userId: 'ada',
  };
  const sent = await fetch(`${service.url}/v1/ingest`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson' },
    body: JSON.stringify({ ...span, startTime: at, endTime: at, input: 'My card?', output: 'It is 4111 1111 1111 1111.' }),
  });
  expect(sent.status).toBe(202);
  await until('the span can be read', async () => {
    const answer = await fetch(`${service.url}/v1/projects/${projectId}/traces/card-trace`, { headers: { cookie } });
    await answer.arrayBuffer();
    return answer.status === 200;
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Opens the policies of the project. */
async function openPolicies(as: 'owner' | 'viewer', search = ''): Promise<void> {
  await openAs(as, '/start');
  await page.goto(`${dashboard.service.url}${root}/policies${search}`);
}

/** Writes files into a folder and drops the folder onto the page, as a file manager does. */
async function dropFolder(files: Readonly<Record<string, string>>): Promise<void> {
  const dropped = join(folder, 'policies');
  await rm(dropped, { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dropped, path)), { recursive: true });
    await writeFile(join(dropped, path), content);
  }
  const box = await page.getByRole('region', { name: 'Policy files' }).boundingBox();
  if (!box) throw new Error('there is no place to drop files');
  const session = await page.context().newCDPSession(page);
  const place = { x: box.x + box.width / 2, y: box.y + 20, data: { items: [], files: [dropped], dragOperationsMask: 1 } };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...place });
  await session.detach();
}

const planned = () => page.getByRole('list', { name: 'Planned changes' });
const plan = () => page.getByRole('button', { name: 'Plan', exact: true }).click();

/** Opens the confirmation and applies. */
async function apply(): Promise<void> {
  await page.getByRole('button', { name: 'Apply…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click();
}

test('a dropped folder is validated, planned with a replay, and applied', async () => {
  await openPolicies('owner');
  await page.getByRole('heading', { name: 'Manage guardrails and environments as files' }).waitFor();
  await page.getByText('spanwise policy init policies').waitFor();
  await page.getByRole('button', { name: 'Plan files' }).click();

  // An error names the place and shows the line.
  const files = { 'environments.yaml': environmentsFile.content, 'README.md': 'Not a policy.' };
  await dropFolder({ ...files, 'guardrails/cards.yaml': cardGuardrail('blok') });
  const errors = page.getByRole('list', { name: 'Errors' });
  await errors.getByText('guardrails/cards.yaml:9:11').waitFor();
  await errors.getByRole('group', { name: 'Line 9' }).getByText('action: ').waitFor();

  // Corrected.
  await dropFolder({ ...files, 'guardrails/cards.yaml': cardGuardrail('block') });
  await page.getByText(/^2 files, .* 1 other file ignored$/).waitFor();
  await plan();
  await planned().getByText('no-card-numbers').waitFor();
  expect(await planned().getByRole('listitem').count()).toBe(2);
  await page.getByText('Would block 1 of 1 call; none are blocked now.').waitFor();
  const example = page.getByRole('list', { name: 'Examples' }).getByRole('link', { name: 'card-trace' });
  expect(await example.getAttribute('href')).toContain('/traces/card-trace?span=answer');

  await apply();
  await page.getByText('Applied as revision 1').waitFor();
  await page.getByRole('link', { name: 'View audit entry' }).click();
  await page.getByRole('list', { name: 'Applied files' }).getByText('guardrails/cards.yaml').waitFor();
  await page.getByRole('link', { name: 'View policy revision 1' }).click();
  await page.getByRole('heading', { name: /Revision 1/ }).waitFor();
  await page.getByRole('heading', { name: 'guardrails/cards.yaml · added' }).waitFor();
});

test('removals are named and confirmed; a plan that is out of date is refused', async () => {
  await applyFiles(dashboard.service, caller, [environmentsFile, { path: 'cards.yaml', content: cardGuardrail('block') }]);
  await openPolicies('owner', '?view=plan');
  await dropFolder({ 'environments.yaml': environmentsFile.content });
  await page.getByLabel('Replay on recorded calls').selectOption('No replay');
  await plan();
  await planned().getByText('no-card-numbers').waitFor();
  await page.getByRole('button', { name: 'Apply…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('list', { name: 'Removals' }).getByText('no-card-numbers').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Apply', exact: true });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Remove 1 policy').check();
  // Somebody changes an environment meanwhile.
  await policyCall(dashboard.service, caller, '/environments', { name: 'elsewhere' });
  await confirm.click();
  await dialog.getByText('The plan is out of date').waitFor();
  await dialog.getByRole('button', { name: 'Plan again' }).click();
  await page.getByRole('button', { name: 'Apply…' }).click();
  await dialog.getByLabel('Remove 1 policy').check();
  await confirm.click();
  await page.getByText('Removed Guardrail no-card-numbers').waitFor();
});

test('a detached policy blocks an apply until it is attached', async () => {
  const files = [environmentsFile, { path: 'cards.yaml', content: cardGuardrail('block') }];
  await applyFiles(dashboard.service, caller, files);
  await openPolicies('owner');
  await page.getByRole('button', { name: 'Detach no-card-numbers' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Detach' }).click();
  await page.getByRole('tab', { name: 'Plan and apply' }).click();
  await dropFolder(Object.fromEntries(files.map(({ path, content }) => [path, content])));
  await plan();
  await page.getByText(/in the files was detached/).waitFor();
  await apply();
  await page.getByText('Detached policies block the apply').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('tab', { name: 'Policies', exact: true }).click();
  await page.getByRole('button', { name: 'Attach no-card-numbers' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Attach' }).click();
  await page.getByRole('button', { name: 'Detach no-card-numbers' }).waitFor();
  // The files are still there.
  await page.getByRole('tab', { name: 'Plan and apply' }).click();
  await page.getByText('The files are valid.').waitFor();
});

test('policies are downloaded, and the organization lists them by project', async () => {
  await openPolicies('owner');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download files' }).click();
  expect((await download).suggestedFilename()).toMatch(/^policies-policy-lab-\d+\.zip$/);
  await page.goto(dashboard.address('/settings/policies'));
  const row = page.getByRole('row').filter({ hasText: 'Policy lab' });
  await row.getByRole('link', { name: 'Policy lab' }).click();
  await page.getByRole('table', { name: 'Policies' }).getByText('no-card-numbers').waitFor();
});

test('a viewer can plan, and neither applies nor detaches', async () => {
  await openPolicies('viewer');
  await page.getByRole('note').getByText('policy:apply').waitFor();
  expect(await page.getByRole('button', { name: /^(Detach|Attach)/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Plan files' }).click();
  await dropFolder({ 'environments.yaml': environmentsFile.content });
  await plan();
  await page.getByText(/Ask an owner or admin/).waitFor();
  expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
});

// Last: the guardrail keeps the environment from being removed.
test('a plan that removes an environment in use says what uses it', async () => {
  await applyFiles(dashboard.service, caller, [environmentsFile]);
  const config = { entities: ['payment_card'] };
  const guardrail = { slug: 'by-hand', type: 'pii', stage: 'output', action: 'flag', environments: ['policy-lab'], config };
  await policyCall(dashboard.service, caller, '/guardrails', guardrail);
  await openPolicies('owner', '?view=plan');
  await dropFolder({ 'other.yaml': environmentsFile.content.replace('name: policy-lab', 'name: other-lab') });
  await page.getByLabel('Replay on recorded calls').selectOption('No replay');
  await plan();
  const used = page.getByRole('note').filter({ hasText: 'environments that are in use' }).getByRole('listitem');
  await expect.poll(() => used.allInnerTexts()).toEqual(['policy-lab: Guardrail by-hand']);
});
