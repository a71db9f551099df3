// Writes a screenshot of every page in both themes to screenshots/, which Git ignores: `npm run screenshots [-- NAME ...]`.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import buildDashboard from './build-dashboard.ts';
import { complaintsOf, settled, startDashboard } from './dashboard.ts';
import { everyPage } from './every-page.ts';

const folder = join(import.meta.dirname, '../../screenshots');
const wanted = process.argv.slice(2);

await buildDashboard();
await mkdir(folder, { recursive: true });
const dashboard = await startDashboard();
try {
  for (const theme of ['light', 'dark'] as const) {
    const page = await dashboard.open({ theme });
    const complaints = complaintsOf(page);
    for (const [name, path] of everyPage) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      await page.goto(dashboard.address(path));
      await settled(page);
      await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
      for (const complaint of complaints.splice(0)) process.stderr.write(`${name} (${theme}): ${complaint}\n`);
    }
    const stranger = await dashboard.open({ as: null, theme });
    await stranger.goto(dashboard.service.url);
    await settled(stranger);
    await stranger.screenshot({ path: join(folder, `sign-in-${theme}.png`) });
  }
} finally {
  await dashboard.close();
}
process.stdout.write(`screenshots are in ${folder}\n`);
