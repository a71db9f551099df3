import type { PoliciesDb } from '../../src/features/policy-revisions/index.ts';
import { send } from '../../src/platform/http/http-service.fixture.ts';
import type { Answer } from '../../src/platform/http/http-service.fixture.ts';
import { startTestApp } from './app.ts';
import type { TestApp } from './app.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** The service with shortcuts for the governance of its project. Paths are below `/v1/projects/{id}`. */
export interface Governance {
  app: TestApp;
  /** The tables of policies, for states that the API does not lead to. */
  policies: PoliciesDb;
  as(headers: Record<string, string>, method: string, path: string, body?: unknown): Promise<Answer>;
  owner: Call;
  key: Call;
  /** The policy revision of the project. */
  revision(): Promise<number>;
  /** The audit entries of environments, guardrails and policies, oldest first. */
  entries(): Promise<Array<{ kind: string; subject: string; detail: Record<string, unknown> }>>;
  close(): Promise<void>;
}

export async function openGovernance(startMs: number): Promise<Governance> {
  const app = await startTestApp(startMs);
  const policies = app.stores.postgres.db as unknown as PoliciesDb;
  const as: Governance['as'] = (headers, method, path, body) =>
    send(`${app.url}/v1/projects/${app.projectId}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  return {
    app,
    policies,
    as,
    owner: (...call) => as({ cookie: app.cookie }, ...call),
    key: (...call) => as({ 'x-api-key': app.apiKey }, ...call),
    async revision() {
      const row = await policies
        .selectFrom('policy_projects')
        .select('revision')
        .where('project_id', '=', app.projectId)
        .executeTakeFirst();
      return row?.revision ?? 0;
    },
    async entries() {
      const found: Array<{ kind: string; subject: string; detail: Record<string, unknown> }> = [];
      let cursor: string | null = null;
      do {
        const query: string = cursor === null ? '' : `&cursor=${cursor}`;
        const { body } = (await app.get(`/v1/organizations/${app.organizationId}/audit-log?limit=200${query}`)) as {
          body: { entries: typeof found; nextCursor: string | null };
        };
        found.push(...body.entries.filter(({ kind }) => /^(environment|guardrail|policy)\./.test(kind)));
        cursor = body.nextCursor;
      } while (cursor !== null);
      return found.toReversed();
    },
    close: () => app.close(),
  };
}
