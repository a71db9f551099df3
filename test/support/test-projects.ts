import type { Role } from '../../src/contract/permissions.ts';
import type { Plan } from '../../src/contract/plans.ts';
import { sessionCookie } from '../../src/platform/http/index.ts';
import type { Authenticator, Tenant } from '../../src/platform/http/index.ts';

export interface TestProject extends Tenant {
  key: string;
}

/** Who sends a request: no one, a user with a role in the project's organization, or the project's key. */
export type By = 'nobody' | 'key' | Role;

/** Projects, each in an organization of its own with a key and one user for each role, and an authenticator that knows them. */
export class TestProjects {
  readonly #projects: TestProject[] = [];

  /** Creates a project. Ids are counted from 1. */
  create(plan: Plan = 'scale'): TestProject {
    const number = String(this.#projects.length + 1).padStart(12, '0');
    const project = {
      projectId: `0197a000-0000-7000-8000-${number}`,
      organizationId: `0197b000-0000-7000-8000-${number}`,
      plan,
      key: `spw_${number}`,
    };
    this.#projects.push(project);
    return project;
  }

  /** Headers that identify the caller. */
  credentials(by: By, { key, organizationId }: TestProject): Record<string, string> {
    if (by === 'nobody') return {};
    if (by === 'key') return { 'x-api-key': key };
    return { cookie: `${sessionCookie}=${by}.${organizationId}` };
  }

  /** Sessions are `<role>.<organization>`. There are no tokens. */
  readonly authenticator: Authenticator = {
    byApiKey: (secret) => {
      const project = this.#projects.find(({ key }) => key === secret);
      if (!project) return Promise.resolve(null);
      const names = { keyName: 'key', keyPrefix: 'spw_', projectName: 'project', organizationSlug: 'organization' };
      return Promise.resolve({ kind: 'key', ...tenantOf(project), keyId: project.projectId, scopes: null, ...names });
    },
    byToken: () => Promise.resolve(null),
    bySession: (secret) =>
      Promise.resolve({ kind: 'user', userId: secret, email: '', name: '', via: 'session', sessionId: secret }),
    projectFor: (userId, projectId) => {
      const [role, organizationId] = userId.split('.') as [Role, string];
      const project = this.#projects.find((one) => one.projectId === projectId && one.organizationId === organizationId);
      return Promise.resolve(project ? { tenant: tenantOf(project), role } : null);
    },
    organizationFor: () => Promise.resolve(null),
    rolesOf: () => Promise.resolve([]),
  };
}

const tenantOf = ({ projectId, organizationId, plan }: TestProject): Tenant => ({ projectId, organizationId, plan });
