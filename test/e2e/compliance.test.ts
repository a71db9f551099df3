import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const checks = () => page.getByRole('list', { name: 'Checks' }).getByRole('listitem').allInnerTexts();
const verdict = (text: RegExp) => page.getByRole('status').filter({ hasText: text });

test('a pack is generated, its evidence opened, verified, downloaded, and the file verified', async () => {
  await openAs('owner', '/compliance');
  await page.getByRole('button', { name: 'Generate pack' }).click();
  const dialog = page.getByRole('dialog');
  const [from, to] = [dialog.getByLabel('From (UTC)'), dialog.getByLabel('To (UTC)')];
  await to.fill('2099-01-01');
  await dialog.getByRole('button', { name: 'Generate' }).click();
  await dialog.getByText('Must not be in the future.').waitFor();
  await to.fill(new Date().toISOString().slice(0, 10));
  await from.fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Generate' }).click();
  await dialog.getByText('Must be at most 366 days before to.').waitFor();
  await from.fill(new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10));
  await dialog.getByRole('button', { name: 'Generate' }).click();

  const controls = page.getByRole('list', { name: 'Controls' });
  await controls.getByRole('button', { name: /^CC7\.3/ }).click();
  await controls.getByRole('heading', { name: /^Incidents \d+ records?/ }).waitFor();
  expect(await controls.getByRole('button', { name: /^CC6\.4/ }).count()).toBe(0);
  await controls.getByText('Physical access').waitFor();

  await page.getByRole('button', { name: 'Verify now' }).click();
  await verdict(/^Valid\./).waitFor();
  expect(await checks()).toHaveLength(4);

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download JSON' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^spanwise-evidence-soc2-[0-9a-f-]+\.json$/);
  const text = await readFile(await download.path(), 'utf8');

  await page.getByRole('link', { name: 'Compliance /' }).click();
  await page
    .getByLabel('File (.json)')
    .setInputFiles({ name: 'pack.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await verdict(/^Valid\./).waitFor();

  await page.getByLabel('File (.json)').setInputFiles([]);
  await page.getByLabel('Or paste its text').fill(text.replace('"evidenced"', '"partial"'));
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await verdict(/^Not valid\./).waitFor();
  const [content = '', signature = ''] = await checks();
  expect(content).toMatch(/^Content hash\s+The content has the SHA-256 .* was changed\.$/);
  expect(signature).toMatch(/^Signature\s+The stated SHA-256 is signed/);

  await page.getByLabel('Or paste its text').fill('{"not": "a pack"}');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'This is no evidence pack.' }).waitFor();
});

test('the printable page opens from disk, runs and loads nothing, and prints', async () => {
  await openAs('owner', '/compliance');
  await page.getByRole('list', { name: 'Evidence packs' }).getByRole('link').first().click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download HTML' }).click();
  const file = join(tmpdir(), `spanwise-evidence-${process.pid}.html`);
  await writeFile(file, await readFile(await (await downloading).path()));
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`file://${file}`);
  await page.getByRole('heading', { level: 1, name: /^Evidence pack, SOC 2/ }).waitFor();
  expect(requests).toEqual([`file://${file}`]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  // Nothing is wider than a page of A4 without its margins.
  await page.setViewportSize({ width: 688, height: 971 });
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(688);
  expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
  await rm(file);
});

test('a pack that does not exist is not offered for download', async () => {
  await openAs('owner', '/compliance/00000000-0000-7000-8000-000000000000');
  await page.getByRole('link', { name: 'Back to compliance' }).waitFor();
  expect(await page.getByRole('link', { name: /^Download / }).count()).toBe(0);
});

test('a viewer is told what is missing', async () => {
  await openAs('viewer', '/compliance');
  await page.getByText('Your role does not include compliance').waitFor();
  expect(await page.getByRole('button', { name: 'Generate pack' }).count()).toBe(0);
});

test('on the plan free the page says what packs need', async () => {
  await openAs('owner', '/', { alone: true });
  await page.route('**/v1/auth/session', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { organizations: Array<{ plan: string }> };
    for (const organization of body.organizations) organization.plan = 'free';
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto(dashboard.address('/compliance'));
  await page.getByText('Evidence packs need the plan pro or above').waitFor();
  expect(await page.getByRole('button', { name: 'Generate pack' }).count()).toBe(0);
});
