import { expect, test } from 'vitest';
import { openAs, page, visitDashboard } from './visit.ts';

visitDashboard({ shares: true });

test('pages without data lead to how it is sent', async () => {
  for (const path of ['/sessions', '/models', '/graph']) {
    await openAs('owner', `${path}?from=2020-01-01T00:00:00.000Z&to=2020-01-02T00:00:00.000Z`);
    const link = page.getByRole('main').getByRole('link', { name: 'Send data' });
    await link.waitFor();
    expect(await link.getAttribute('href'), path).toMatch(/\/start$/);
    await page.close();
  }
});
