import { expect, test } from 'vitest';
import { openAs, page, visitDashboard } from './visit.ts';

visitDashboard({ shares: true });

test.each(['/sessions', '/models', '/graph'])('%s without data leads to how it is sent', async (path) => {
  await openAs('owner', `${path}?from=2020-01-01T00:00:00.000Z&to=2020-01-02T00:00:00.000Z`);
  const link = page.getByRole('main').getByRole('link', { name: 'Set up' });
  await link.waitFor();
  expect(await link.getAttribute('href')).toMatch(/\/start$/);
});
