import { createContext, use } from 'react';
import type { Permission } from '../api/parts.ts';
import type { CurrentSession } from '../api/service.ts';
import type { ProjectPath } from '../paths.ts';

type Organization = CurrentSession['organizations'][number];

/** The current project and the viewer's permissions in it. */
export interface ProjectScope {
  /** Slugs, for links. */
  at: ProjectPath;
  /** ID, for requests. */
  projectId: string;
  project: Organization['projects'][number];
  organization: Organization;
  user: CurrentSession['user'];
  can(permission: Permission): boolean;
}

const ProjectContext = createContext<ProjectScope | null>(null);
export const ProjectProvider = ProjectContext.Provider;

/** The current project; null outside of a project page. */
export function useProjectIfAny(): ProjectScope | null {
  return use(ProjectContext);
}

/** The current project. Throws outside of a project page. */
export function useProject(): ProjectScope {
  const scope = use(ProjectContext);
  if (scope === null) throw new Error('useProject was called outside of a project page');
  return scope;
}

/** The project at a path; null if it does not exist or the viewer is not a member. */
export function scopeOf(session: CurrentSession, at: ProjectPath): ProjectScope | null {
  const organization = session.organizations.find(({ slug }) => slug === at.org);
  const project = organization?.projects.find(({ slug }) => slug === at.project);
  if (!organization || !project) return null;
  return {
    at: { org: at.org, project: at.project },
    projectId: project.id,
    project,
    organization,
    user: session.user,
    can: (permission) => organization.permissions.includes(permission),
  };
}
