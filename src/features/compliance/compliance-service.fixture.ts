import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { openTestPostgres } from '../../../test/support/test-postgres.ts';
import { TestProjects } from '../../../test/support/test-projects.ts';
import type { By, TestProject } from '../../../test/support/test-projects.ts';
import type { EvidencePack, PackCheckName, PackVerification } from '../../contract/evidence-packs.ts';
import type { Plan } from '../../contract/plans.ts';
import { ManualClock } from '../../platform/clock/clock.ts';
import { openHttpService } from '../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';
import type { Postgres } from '../../platform/postgres/index.ts';
import { recordAudits } from '../audit/index.ts';
import type { AnyAuditRecord } from '../audit/record-audit.ts';
import { open } from './index.ts';
import type { ComplianceFeature } from './index.ts';

export const nowMs = Date.UTC(2026, 10, 22, 10);
export const dayMs = 86_400_000;
export const secret = 'a secret of 32 characters or more';

/** A range of 30 days until now. */
export const lastMonth = {
  framework: 'soc2',
  from: new Date(nowMs - 30 * dayMs).toISOString(),
  to: new Date(nowMs).toISOString(),
};

type GivenAudit = Partial<AnyAuditRecord> & Pick<AnyAuditRecord, 'kind' | 'detail'>;

export interface ComplianceService {
  postgres: Postgres;
  clock: ManualClock;
  feature: ComplianceFeature;
  url: string;
  credentials(by: By, project: TestProject): Record<string, string>;
  project(plan?: Plan): Promise<TestProject>;
  as(by: By, project: TestProject, method: string, path: string, body?: unknown): Promise<Answer>;
  /** Generates a pack; fails unless it is created. */
  pack(project: TestProject, body?: object): Promise<EvidencePack>;
  /** Verifies bytes, or a pack as JSON. */
  verify(project: TestProject, pack: unknown): Promise<PackVerification>;
  /** Appends entries to the audit log of a project at a time. */
  audit(project: TestProject, atMs: number, ...records: GivenAudit[]): Promise<void>;
  /** Runs a statement as the owner of the audit log's tables can: without their triggers. */
  tamper(statement: RawBuilder<unknown>): Promise<void>;
  /** Another process on the same database. */
  another(): ComplianceFeature;
  close(): Promise<void>;
}

/** Evidence packs over HTTP on a real PostgreSQL, without figures from ClickHouse. */
export async function openComplianceService(): Promise<ComplianceService> {
  const { postgres, close } = await openTestPostgres();
  const clock = new ManualClock(nowMs);
  const projects = new TestProjects();
  const totals = { checks: 0, allowed: 0, flagged: 0, redacted: 0, blocked: 0, failed: 0 };
  const ports = {
    activityOf: () => Promise.resolve({ totals, byGuardrail: [], timeline: [] }),
    reportedOf: () => Promise.resolve({ byDay: new Map(), byGuardrail: new Map() }),
    calledModels: () => Promise.resolve([]),
  };
  const another = () => open({ postgres, clock, secret }, ports);
  const feature = another();
  const http = await openHttpService((app) => feature.routes?.(app), { authenticator: projects.authenticator });
  const as: ComplianceService['as'] = (by, project, method, path, body) =>
    http.request(`/v1/projects/${project.projectId}/evidence-packs${path}`, {
      method,
      headers: projects.credentials(by, project),
      ...(body === undefined ? {} : { body }),
    });
  const expected = async (status: number, answer: Promise<Answer>) => {
    const { status: got, body, text } = await answer;
    if (got !== status) throw new Error(`a request answered ${got}: ${text}\n${http.logged()}`);
    return body;
  };
  return {
    postgres,
    clock,
    feature,
    url: http.url,
    credentials: (by, project) => projects.credentials(by, project),
    another,
    as,
    async project(plan) {
      const project = projects.create(plan);
      await addProject(postgres, project);
      return project;
    },
    pack: (project, body = lastMonth) => expected(201, as('owner', project, 'POST', '', body)),
    verify: (project, pack) => expected(200, as('owner', project, 'POST', '/verify', pack)),
    async audit({ organizationId, projectId }, atMs, ...given) {
      const records = given.map((record) => ({ organizationId, projectId, actor: { type: 'system' }, subject: null, ...record }));
      await postgres.db
        .transaction()
        .execute((transaction) => recordAudits(transaction, new ManualClock(atMs), records as AnyAuditRecord[]));
    },
    tamper: (statement) =>
      postgres.db.transaction().execute(async (transaction) => {
        for (const change of ['DISABLE', 'ENABLE ALWAYS']) {
          if (change !== 'DISABLE') await statement.execute(transaction);
          await sql.raw(`ALTER TABLE audit_entries ${change} TRIGGER audit_entries_append_only`).execute(transaction);
          await sql.raw(`ALTER TABLE audit_heads ${change} TRIGGER audit_heads_stay`).execute(transaction);
          await sql.raw(`ALTER TABLE audit_heads ${change} TRIGGER audit_heads_rise`).execute(transaction);
        }
      }),
    async close() {
      await http.close();
      await close();
    },
  };
}

/** The names of the checks that failed. */
export function failed({ checks }: PackVerification): PackCheckName[] {
  return checks.filter(({ ok }) => !ok).map(({ name }) => name);
}

async function addProject({ db }: Postgres, { projectId, organizationId, plan }: TestProject): Promise<void> {
  const at = new Date(nowMs - 400 * dayMs);
  await sql`INSERT INTO organizations (id, slug, name, plan, created_at) VALUES (${organizationId}, ${organizationId}, 'Acme', ${plan}, ${at})`.execute(
    db,
  );
  await sql`INSERT INTO projects (id, organization_id, name, slug, created_at) VALUES (${projectId}, ${organizationId}, 'own', 'own', ${at})`.execute(
    db,
  );
}
