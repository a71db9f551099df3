import { insertProject } from '../../../test/support/insert-project.ts';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { noProject, openHttpService, otherProject, ownProject, ownTenant } from '../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import { open } from './index.ts';
import type { AskingOptions, ConnectionsFeature } from './open.ts';
import { unusedConnections } from './unused-connections.fixture.ts';

export const secret = 'the secret of an installation, for tests';
export const nowMs = Date.UTC(2026, 10, 20, 10);
export { noProject, otherProject, ownProject };

/** The headers of a session with a role. */
export const by = (role: string) => ({ cookie: `spanwise_session=${role}` });
export const byKey = { 'x-api-key': 'spw_good' };

export interface ConnectionsService extends Pick<ConnectionsFeature, 'models'> {
  connections: ConnectionsFeature['context'];
  clock: ManualClock;
  request(headers: Record<string, string>, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Creates a connection of `ownProject` as its owner. @returns its id */
  connect(body: object): Promise<string>;
  close(): Promise<void>;
}

export const connectionsPath = `/v1/projects/${ownProject}/model-connections`;

/** The routes of model connections over HTTP, with two projects in a PostgreSQL of their own. */
export async function openConnectionsService(
  asking: AskingOptions = {},
  allowed: readonly string[] = ['127.0.0.0/8', '::1'],
): Promise<ConnectionsService> {
  const { postgres, close } = await openTestPostgres();
  const clock = new ManualClock(nowMs);
  await insertProject(postgres.db, ownTenant, { atMs: nowMs });
  await insertProject(postgres.db, { ...ownTenant, projectId: otherProject }, { atMs: nowMs });
  const feature = open({ postgres, clock, secret }, { addresses: { allowed }, ...unusedConnections, ...asking });
  const http = await openHttpService((app) => feature.routes?.(app));
  const request: ConnectionsService['request'] = (headers, method, path, body) =>
    http.request(path, { method, headers, ...(body === undefined ? {} : { body }) });
  return {
    connections: feature.context,
    models: feature.models,
    clock,
    request,
    connect: async (body) => {
      const answer = await request(by('owner'), 'POST', connectionsPath, body);
      if (answer.status !== 201) throw new Error(`making a connection answered ${answer.status}: ${answer.text}`);
      return answer.body.id;
    },
    close: async () => {
      await http.close();
      await feature.close();
      await close();
    },
  };
}
