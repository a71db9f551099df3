import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initialiseCluster } from '../../src/platform/postgres/initialise-cluster.ts';

const variable = 'SPANWISE_TEST_CLUSTER';

/** Makes one empty embedded database for a whole run (vitest's global set-up); returns what removes it. */
export default async function makeTemplate(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'spanwise-cluster-'));
  const template = join(directory, 'postgres');
  await initialiseCluster(template);
  process.env[variable] = template;
  return () => rm(directory, { recursive: true, force: true });
}

/** Puts an empty embedded database into a directory that does not exist yet: making one takes seconds, copying one a fraction. */
export async function emptyCluster(directory: string): Promise<void> {
  const template = process.env[variable];
  if (template === undefined) throw new Error(`${variable} is not set: run vitest with the repository's configuration`);
  await cp(template, directory, { recursive: true });
}
