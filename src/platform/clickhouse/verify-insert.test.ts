import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChdb } from './connect.ts';

let root: string;
let engine: ReturnType<typeof openChdb>;
let parts: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'spanwise-verify-'));
  engine = openChdb({ dataDirectory: join(root, 'clickhouse'), temporaryDirectory: root }, 1);
  await command('CREATE TABLE t (id UInt64, version UInt64) ENGINE = ReplacingMergeTree(version) ORDER BY id');
  const found = await engine.jobs.query({
    query: `SELECT data_paths[1] AS path FROM system.tables WHERE name = 't'`,
    format: 'JSONEachRow',
  });
  parts = (await found.json<{ path: string }>())[0]?.path ?? '';
}, 60_000);
afterAll(async () => {
  for (const client of engine.clients) await client.close();
  await rm(root, { recursive: true, force: true });
});

const command = async (query: string) => void (await engine.jobs.command({ query }));
const insertRow = () => command('INSERT INTO t VALUES (1, 1), (1, 2)');
const newest = async () => {
  const blocks = (await readdir(parts)).flatMap((name) => Number(/^all_\d+_(\d+)_/.exec(name)?.[1] ?? 0));
  return Math.max(...blocks);
};
/** The directory of a part that a merge, mutation or insert has written and not committed: the engine does not know it yet. */
const uncommitted = (name: string) => mkdir(join(parts, name));
/** Runs a verified insert of a row, then `meanwhile` before the insert is verified, with the number of its block. */
const verified = (meanwhile: (block: number) => Promise<void> = () => Promise.resolve()) =>
  engine.verifier?.run(engine.writer, 't', async () => {
    await insertRow();
    await meanwhile(await newest());
  });
const removeParts = async (matching: RegExp) => {
  for (const name of await readdir(parts)) if (matching.test(name)) await rm(join(parts, name), { recursive: true });
};

test('what a merge or a mutation is making of the new part is not taken for the insert', async () => {
  await verified();
  await verified((block) => uncommitted(`all_${block}_${block}_9`));
  await verified((block) => uncommitted(`all_${block}_${block}_1_${block + 1}`));
  await removeParts(/^all_\d+_\d+_(?:9|1_\d+)$/);
});

test('a part that was merged and removed before it is verified is whole', async () => {
  await verified(async (block) => {
    await command('OPTIMIZE TABLE t FINAL');
    await removeParts(new RegExp(String.raw`^all_${block}_${block}_`));
  });
  // Removed between the listing and the check: the engine does not know the listed part.
  await verified(async (block) => {
    await uncommitted(`all_${block + 1}_${block + 1}_0`);
    await uncommitted(`all_${block}_${block + 1}_8`);
  });
  await removeParts(/^all_\d+_\d+_[08]$/);
});

test('a part that is missing, or whose file is empty, is refused', async () => {
  const refusal = { code: 'unavailable' };
  await expect(verified((block) => removeParts(new RegExp(String.raw`^all_${block}_`)))).rejects.toMatchObject(refusal);
  await expect(verified((block) => uncommitted(`all_${block + 1}_${block + 1}_0`))).rejects.toMatchObject(refusal);
  await removeParts(/^all_\d+_\d+_0$/);
  // The block of the removed directory is taken.
  await insertRow();
});

test('inserts into one table are verified one after another', async () => {
  const events: string[] = [];
  const run = (name: string) =>
    engine.verifier?.run(engine.writer, 't', async () => {
      events.push(`${name} begins`);
      await insertRow();
      events.push(`${name} ends`);
    });
  const failed = engine.verifier?.run(engine.writer, 't', () => Promise.reject(new Error('refused')));
  await Promise.all([expect(failed).rejects.toThrow('refused'), run('first'), run('second')]);
  expect(events).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});
