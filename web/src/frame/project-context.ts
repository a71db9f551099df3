import { createContext, use } from 'react';
import type { CurrentSession, Permission } from '../api/wire.ts';
import type { ProjectPath } from '../paths.ts';

type Organization = CurrentSession['organizations'][number];

/** The project that a page is about, and what the viewer may do in it. */
export interface ProjectScope {
  /** For links. */
  at: ProjectPath;
  /** For requests. */
  projectId: string;
  project: Organization['projects'][number];
  organization: Organization;
  user: CurrentSession['user'];
  can(permission: Permission): boolean;
}

const ProjectContext = createContext<ProjectScope | null>(null);
export const ProjectProvider = ProjectContext.Provider;

/** The project of the page. Throws outside of one. */
export function useProject(): ProjectScope {
  const scope = use(ProjectContext);
  if (scope === null) throw new Error('this is shown outside of a project');
  return scope;
}

/** The project that a path names; null when it is not there, or not the viewer's to see. */
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
