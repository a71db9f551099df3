import type { AuditEntry } from '../../src/contract/audit.ts';
import { send } from '../../src/platform/http/http-service.fixture.ts';
import type { Answer } from '../../src/platform/http/http-service.fixture.ts';
import { startTestApp } from './app.ts';
import type { TestApp } from './app.ts';
import type { Database } from '../../src/platform/postgres/index.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** The service with shortcuts for the governance of its project. Paths are below `/v1/projects/{id}`. */
export interface Governance {
  app: TestApp;
  /** The tables of policies, for states that the API does not lead to. */
  policies: Database;
  as(headers: Record<string, string>, method: string, path: string, body?: unknown): Promise<Answer>;
  owner: Call;
  key: Call;
  /** A call of the owner; the path begins with `/v1`. */
  ownerAt: Call;
  /** Creates another project of the organization. */
  project(): Promise<{ projectId: string }>;
  /** Sends native events with a key; resolves when they can be read. */
  ingest(key: string, events: readonly object[]): Promise<void>;
  /** The policy revision of a project, by default the first. */
  revision(projectId?: string): Promise<number>;
  /** The audit entries of a project's environments, guardrails and policies, oldest first. */
  entries(projectId?: string): Promise<AuditEntry[]>;
  close(): Promise<void>;
}

export async function openGovernance(startMs: number): Promise<Governance> {
  const app = await startTestApp(startMs);
  const policies = app.stores.postgres.db;
  const as: Governance['as'] = (headers, method, path, body) =>
    send(`${app.url}/v1/projects/${app.projectId}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const ownerAt: Call = (method, path, body) =>
    send(`${app.url}${path}`, { method, headers: { cookie: app.cookie }, ...(body === undefined ? {} : { body }) });
  return {
    app,
    policies,
    as,
    owner: (...call) => as({ cookie: app.cookie }, ...call),
    ownerAt,
    async ingest(key, events) {
      const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson' };
      const body = events.map((event) => JSON.stringify(event)).join('\n');
      const { status, text } = await send(`${app.url}/v1/ingest`, { method: 'POST', headers, body });
      if (status !== 202) throw new Error(`ingestion answered ${status}: ${text}`);
      await app.pipeline.drain();
    },
    async project() {
      const { body } = await ownerAt('POST', `/v1/organizations/${app.organizationId}/projects`, { name: 'Another' });
      return { projectId: body.id as string };
    },
    key: (...call) => as({ 'x-api-key': app.apiKey }, ...call),
    async revision(projectId = app.projectId) {
      const row = await policies
        .selectFrom('policy_projects')
        .select('revision')
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row?.revision ?? 0;
    },
    async entries(projectId = app.projectId) {
      const found: AuditEntry[] = [];
      let cursor: string | null = null;
      do {
        const query: string = cursor === null ? '' : `&cursor=${cursor}`;
        const { body } = (await app.get(`/v1/organizations/${app.organizationId}/audit-log?limit=200${query}`)) as {
          body: { entries: AuditEntry[]; nextCursor: string | null };
        };
        found.push(
          ...body.entries.filter(
            (entry) => entry.projectId === projectId && /^(environment|guardrail|policy)\./.test(entry.kind),
          ),
        );
        cursor = body.nextCursor;
      } while (cursor !== null);
      return found.toReversed();
    },
    close: () => app.close(),
  };
}
