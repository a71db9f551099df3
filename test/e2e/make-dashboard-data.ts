import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService, temporaryDataDirectory } from '../support/service.ts';
import { copyStores } from '../support/store-templates.ts';
import { fillingEnvironment, fillService } from './dashboard-data.ts';
import type { DashboardData } from './dashboard-data.ts';

const variable = 'SPANWISE_TEST_DASHBOARD_DATA';

/** Fills a data directory once; each test file's service starts on a copy (vitest's global set-up). @returns its tear-down */
export default async function makeDashboardData(): Promise<() => Promise<void>> {
  const directory = await temporaryDataDirectory();
  const dataDirectory = join(directory.path, 'data');
  copyStores(dataDirectory);
  const service = await startService({ dataDirectory, env: fillingEnvironment });
  const data = await fillService(service);
  const exitCode = await service.stop();
  if (exitCode !== 0) throw new Error(`the filled service ended with ${exitCode}:\n${service.output()}`);
  writeFileSync(join(directory.path, 'data.json'), JSON.stringify(data));
  process.env[variable] = directory.path;
  return () => directory.remove();
}

/** Copies the filled data directory to one that does not exist yet. @returns null where none was made: outside of vitest */
export function copyDashboardData(dataDirectory: string): DashboardData | null {
  const made = process.env[variable];
  if (made === undefined) return null;
  cpSync(join(made, 'data'), dataDirectory, { recursive: true, verbatimSymlinks: true, errorOnExist: true });
  return JSON.parse(readFileSync(join(made, 'data.json'), 'utf8')) as DashboardData;
}
