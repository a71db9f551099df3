import { insertProject } from '../../../test/support/insert-project.ts';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { noProject, openHttpService, otherProject, ownProject, ownTenant } from '../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import type { Database } from '../../platform/postgres/index.ts';
import type { CalledModel } from '../models/index.ts';
import { open } from './open.ts';

export const nowMs = Date.UTC(2026, 10, 22, 10);
export { noProject, otherProject, ownProject };

export interface LifecycleService {
  db: Database;
  clock: ManualClock;
  /** What the project called in the last 30 days; tests replace it. */
  called: CalledModel[];
  /** What the ports were asked to do; `raised` is called in the transaction. */
  announced: Array<'raised' | 'wake'>;
  request(headers: Record<string, string>, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Runs the daily job. */
  runJob(): Promise<void>;
  close(): Promise<void>;
}

/** A called model; all figures but those given are of one call. */
export const calledModel = (model: string, given: Partial<CalledModel> = {}): CalledModel => ({
  model,
  provider: '',
  calls: 1,
  cost: 0.5,
  unpricedCalls: 0,
  partlyPricedCalls: 0,
  agents: [],
  lastMs: nowMs - 1_000,
  ...given,
});

/** The headers of a session with a role. */
export const by = (role: string) => ({ cookie: `spanwise_session=${role}` });
export const path = `/v1/projects/${ownProject}/model-lifecycle`;

/** The routes and the job on a PostgreSQL of their own; the tests say what was called. */
export async function openLifecycleService(): Promise<LifecycleService> {
  const { postgres, close } = await openTestPostgres();
  const clock = new ManualClock(nowMs);
  await insertProject(postgres.db, ownTenant, { atMs: nowMs });
  const service: Pick<LifecycleService, 'called' | 'announced'> = { called: [], announced: [] };
  const feature = open(
    { postgres, clock, log: { error: (fault: object) => expectNoFault(fault) } as never },
    {
      calledModels: () => Promise.resolve(service.called),
      projectPlans: () => Promise.resolve([{ projectId: ownProject, plan: 'scale' }]),
      raised: (_transaction, _projectId, findings) => {
        if (findings.length > 0) service.announced.push('raised');
        return Promise.resolve();
      },
      wake: () => void service.announced.push('wake'),
    },
  );
  const http = await openHttpService((app) => feature.routes?.(app));
  return Object.assign(service, {
    db: postgres.db,
    clock,
    request: ((headers, method, url, body) =>
      http.request(url, { method, headers, ...(body === undefined ? {} : { body }) })) as LifecycleService['request'],
    runJob: async () => {
      for (const job of feature.jobs ?? []) await job.run(new AbortController().signal);
    },
    close: async () => {
      await http.close();
      await close();
    },
  });
}

function expectNoFault(fault: object): never {
  throw new Error('a scan failed', { cause: fault });
}
