import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard({ shares: true });

test.each(['en-US', 'de-DE', 'en-GB'])('no row of a list cuts its time in %s', async (locale) => {
  await openAs('owner', '/settings/organization');
  const context = await dashboard.browser.newContext({
    baseURL: dashboard.service.url,
    viewport: { width: 1366, height: 768 },
    locale,
    timezoneId: 'Europe/Amsterdam',
    storageState: await page.context().storageState(),
  });
  try {
    const visit = await context.newPage();
    for (const [path, label] of [
      ['/traces', 'Traces'],
      ['/sessions', 'Sessions'],
    ] as const) {
      await visit.goto(dashboard.address(path));
      const times = visit.getByRole('table', { name: label }).locator('td:has(time)');
      await times.nth(5).waitFor();
      const cut = await times.evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      );
      expect(cut, path).toEqual([]);
    }
  } finally {
    await context.close();
  }
  await settled(page);
});
