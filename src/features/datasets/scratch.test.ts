import { test } from 'vitest';
import { sql } from 'kysely';
import { openDatasetsService } from './datasets-service.fixture.ts';
import { sampleRuns } from './sample-runs.fixture.ts';
test('perf', { timeout: 600000 }, async () => {
  const service = await openDatasetsService();
  const project = await service.project();
  const { dataset, run, get } = await sampleRuns(service, project);
  const { path } = await dataset(0);
  const id = path.split('/').at(-1)!;
  const time = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const t = performance.now();
    const r = await work();
    console.log(name, Math.round(performance.now() - t));
    return r;
  };
  await time('items', () =>
    sql`INSERT INTO dataset_items SELECT gen_random_uuid(), ${id}, n, '"input"', NULL, '{}', NULL, NULL, now(), now() FROM generate_series(1, 100000) n`.execute(
      service.db,
    ),
  );
  await sql`UPDATE datasets SET last_place = 100000, item_count = 100000 WHERE id = ${id}`.execute(service.db);
  const a = await run(path),
    b = await run(path);
  for (const r of [a, b]) {
    await time('run items', () =>
      sql`INSERT INTO dataset_run_items SELECT gen_random_uuid(), ${r.id}, id, NULL, '"out"', random(), random(), NULL, now() FROM dataset_items WHERE dataset_id = ${id}`.execute(
        service.db,
      ),
    );
    await time('scores', () =>
      sql`INSERT INTO dataset_run_scores SELECT id, 'e', random(), true, NULL, now() FROM dataset_run_items WHERE run_id = ${r.id}`.execute(
        service.db,
      ),
    );
  }

  await time('compare', () => get(`${path}/runs/compare?runs=${a.id},${b.id}`));
  await sql`ANALYZE`.execute(service.db);
  await time('compare after ANALYZE', () => get(`${path}/runs/compare?runs=${a.id},${b.id}`));
  await service.close();
});
