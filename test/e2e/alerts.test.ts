import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { revisedLine } from './special-evaluators.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const preview = () => page.getByText(/^Would (not )?have fired/).first();

test('a rule is created beside its preview, which says what is invalid; its secret is shown once', async () => {
  await openAs('owner', '/alerts');
  await page.getByRole('link', { name: 'New rule' }).click();
  await page.getByLabel('Threshold (%)', { exact: true }).fill('250');
  await page.getByText('Must be from 0 to 100%.').waitFor();
  await page.getByLabel('Threshold (%)', { exact: true }).fill('0.1');
  await page.getByLabel('Window').selectOption('24h');
  await preview().waitFor();
  await expect.poll(() => preview().innerText()).toMatch(/^Would have fired \d+ times? in the last 30 days\.$/);
  await page.getByRole('table', { name: 'Would have fired' }).waitFor();
  // A type that takes no threshold has no field for it.
  await page.getByLabel('Type', { exact: true }).selectOption('ingest-stopped');
  await expect.poll(() => page.getByLabel(/^Threshold/).count()).toBe(0);
  await page.getByLabel('Type', { exact: true }).selectOption('cost');
  await page.getByLabel('Threshold (USD)', { exact: true }).fill('1000000');
  await page.getByRole('button', { name: 'Webhook', exact: true }).click();
  await page.getByLabel('Webhook URL').fill('ftp://example.com');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText('Must be a URL that starts with http:// or https://').waitFor();
  await page.getByText('Required.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Failed calls');
  await page.getByLabel('Webhook URL').fill('http://127.0.0.1:9/cost');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText(/has an alert rule with the name Failed calls already/).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Costs');
  await page.getByRole('button', { name: 'Create rule' }).click();
  const secret = page.getByRole('dialog').getByLabel('Secret', { exact: true });
  expect(await secret.innerText()).toMatch(/^whsec_[A-Za-z0-9+/=]{32,}$/);
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await heading('Costs').waitFor();

  await page.getByRole('button', { name: 'Send test' }).click();
  const delivery = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').first();
  await delivery.getByText('1 attempt').click();
  await delivery.getByRole('list', { name: 'Attempts' }).getByRole('listitem').first().waitFor();
  await delivery.getByRole('button', { name: 'Redeliver' }).click();
  await page.getByText('Queued again').first().waitFor();
  await page.getByRole('tab', { name: 'Rule' }).click();
  expect(await page.getByLabel('Secret').inputValue()).toBe('');

  await page.getByRole('switch', { name: 'Enabled' }).click();
  expect(await page.getByRole('dialog').innerText()).toContain('Its open incidents are resolved');
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await page.getByText('disabled', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Delete rule' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await heading('Alerts').waitFor();
});

test('a firing rule leads to its incident, which is acknowledged and resolved with notes', async () => {
  await openAs('owner', '/alerts');
  const badge = page.getByRole('complementary', { name: 'Sidebar' }).getByRole('link', { name: /^Incidents \d open$/ });
  await badge.waitFor();
  const before = Number(/\d/.exec((await badge.innerText()).replaceAll('\n', ''))?.[0]);
  await page
    .getByRole('row')
    .filter({ hasText: 'Failed calls' })
    .getByRole('link', { name: 'firing: view incident', exact: true })
    .click();
  await heading('Failed calls').waitFor();
  await page.getByRole('img', { name: /^Chart: Error rate/ }).waitFor();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page.getByRole('columnheader', { name: 'Threshold' }).waitFor();
  await page.getByRole('list', { name: 'Worst traces' }).getByRole('link').first().waitFor();
  const change = async (action: string, note: string) => {
    await page.getByRole('button', { name: action }).click();
    await page.getByRole('dialog').getByLabel('Note (optional)').fill(note);
    await page.getByRole('dialog').getByRole('button', { name: action }).click();
    await page.getByRole('list', { name: 'History' }).getByText(note).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  };
  await change('Acknowledge', 'Looking at it');
  await expect.poll(() => page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
  await expect.poll(() => badge.count()).toBe(before > 1 ? 1 : 0);
  await change('Resolve', 'The key was rotated');
  await page.getByText('(by a person)').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Resolve' }).count()).toBe(0);
});

test('a fix is proposed: what is missing is asked for, the difference is shown, and no label moves', async () => {
  await openAs('owner', '/incidents/{incident}');
  const propose = async (fill: () => Promise<unknown>) => {
    await page.getByRole('button', { name: 'Propose a fix' }).click();
    await fill();
    await page.getByRole('dialog').getByRole('button', { name: 'Propose', exact: true }).click();
  };
  await propose(() => page.getByLabel('Prompt', { exact: true }).fill('no such prompt'));
  await page.getByText('is not the name of a prompt').waitFor();
  await page.getByLabel('Prompt', { exact: true }).fill('support/triage');
  await page.getByLabel('Model connection').selectOption('Judges');
  await page.getByRole('dialog').getByRole('button', { name: 'Propose', exact: true }).click();
  await page
    .getByRole('table', { name: /^support\/triage/ })
    .getByText(revisedLine)
    .waitFor();
  await page.getByText('Failed tools were not mentioned').waitFor();
  // Traces of the incident may have the name of the prompt too.
  await page
    .getByRole('link', { name: 'support/triage', exact: true })
    .and(page.locator('[href$="/prompts/support%2Ftriage"]'))
    .waitFor();
  await page.getByRole('link', { name: /^Open version \d+$/ }).click();
  await page.getByText('proposal', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Label' }).click();
  await page.getByRole('menuitem', { name: /^production/ }).click();
  await page.getByRole('dialog', { name: /^Move production to version \d+\?$/ }).waitFor();
});

test('a fix is not proposed without a model connection, which is said before', async () => {
  await openAs('owner', '/settings/organization');
  await page.route(/\/model-connections\?/, (route) => route.fulfill({ json: { modelConnections: [], nextCursor: null } }));
  await page.goto(dashboard.address('/incidents/{incident}'));
  await page.getByRole('button', { name: 'Propose a fix' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('this project has none').waitFor();
  expect(await dialog.getByRole('button', { name: 'Propose', exact: true }).isDisabled()).toBe(true);
  expect(await dialog.getByRole('link', { name: 'Create a model connection' }).getAttribute('href')).toContain(
    '/settings/connections',
  );
});

test('incidents are filtered, and a viewer changes nothing', async () => {
  await openAs('viewer', '/incidents');
  await page.getByRole('group', { name: 'Filters' }).getByLabel('Rule').selectOption('Slow answers');
  await page.getByLabel('Status').selectOption('resolved');
  await page.getByRole('row').filter({ hasText: 'Slow answers' }).getByRole('link').click();
  await heading('Slow answers').waitFor();
  await page.getByText('Moved long answers to the small model.').waitFor();
  await settled(page);
  expect(await page.getByRole('button', { name: /^(Acknowledge|Resolve|Propose)/ }).count()).toBe(0);
  await page.goto(dashboard.address('/alerts/{alert}'));
  await heading('Failed calls').waitFor();
  await settled(page);
  expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: /^(Save|Send test|Delete|Webhook)/ }).count()).toBe(0);
});
