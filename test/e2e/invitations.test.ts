import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { owner, startDashboard } from './dashboard.ts';
import type { Dashboard } from './dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.close());

const email = 'ada@example.com';
const password = 'a password of her own';

async function signIn(page: Page, as: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(as.email);
  await page.getByLabel('Password').fill(as.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a person is invited, accepts with a password of their own, signs in, and leaves', { timeout: 120_000 }, async () => {
  const inviting = await dashboard.open();
  await inviting.goto(dashboard.address('/settings/members'));
  await inviting.getByRole('button', { name: 'Invite member' }).click();
  await inviting.getByRole('dialog').getByLabel('Email').fill(email);
  await inviting.getByRole('dialog').getByLabel('Role').selectOption('viewer');
  await inviting.getByRole('button', { name: 'Invite', exact: true }).click();
  const handed = inviting.getByRole('dialog', { name: 'Link of the invitation' });
  const url = (await handed.locator('pre').textContent())?.trim() ?? '';
  expect(url).toMatch(/\/invite\/[0-9A-Za-z]{43}$/);
  await handed.getByRole('button', { name: 'Done' }).click();
  await inviting.getByRole('table', { name: 'Pending invitations' }).getByText(email).waitFor();

  // Who is signed in as somebody else is asked to sign out.
  await inviting.goto(url);
  await inviting.getByText(`You are signed in as ${owner.email}`).waitFor();

  const invited = await dashboard.open({ as: null });
  await invited.goto(url);
  await invited.getByLabel('Your name').fill('Ada');
  await invited.getByLabel('New password').fill('short');
  await invited.getByRole('button', { name: 'Create account and join' }).click();
  await invited.getByText('Must have at least 8 characters.').waitFor();
  await invited.getByLabel('New password').fill(password);
  await invited.getByRole('button', { name: 'Create account and join' }).click();
  await invited.getByRole('button', { name: 'Account: Ada' }).waitFor();

  // The link works once.
  const late = await dashboard.open({ as: null });
  await late.goto(url);
  await late.getByRole('heading', { name: 'Invitation not valid' }).waitFor();
  await late.getByRole('link', { name: 'Go to sign-in' }).click();
  await signIn(late, { email, password });
  await late.getByRole('button', { name: 'Account: Ada' }).waitFor();

  await late.goto(dashboard.address('/settings/members'));
  await late.getByRole('button', { name: 'Leave' }).click();
  await late.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await late.getByText('Ask an owner or admin').waitFor();
});

test('who has an account signs in and comes back to the invitation', { timeout: 120_000 }, async () => {
  const organization = (await (await dashboard.open()).request.get(`${dashboard.service.url}/v1/auth/session`)).json();
  const { id } = (await organization).organizations[0];
  const asOwner = await dashboard.open();
  const answer = await asOwner.request.post(`${dashboard.service.url}/v1/organizations/${id}/invitations`, {
    data: { email, role: 'viewer' },
  });
  const { url } = (await answer.json()) as { url: string };
  const page = await dashboard.open({ as: null });
  await page.goto(url);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('New password').fill('does not matter');
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.getByText(`There is an account for ${email}`).waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, { email, password });
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.getByRole('button', { name: 'Account: Ada' }).waitFor();
});

test('a lost password: without mail the dialog says whom to ask, and a link that is not valid says so', async () => {
  const page = await dashboard.open({ as: null });
  await page.goto(`${dashboard.service.url}/sign-in`);
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByRole('dialog').getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText('spanwise user reset-password').waitFor();
  await page.goto(`${dashboard.service.url}/reset/unknown`);
  await page.getByLabel('New password').fill('a new password');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('heading', { name: 'Link not valid' }).waitFor();
});
