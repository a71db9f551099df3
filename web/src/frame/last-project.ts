import type { CurrentSession } from '../api/service.ts';
import type { ProjectPath } from '../paths.ts';

const stored = 'spanwise-project';

/** Stores the current project for the next visit. */
export function rememberProject({ org, project }: ProjectPath): void {
  localStorage.setItem(stored, `${org}/${project}`);
}

/** The project to open first: the last one visited, or else the first; null if there is none. */
export function firstProject({ organizations }: CurrentSession): ProjectPath | null {
  const all = organizations.flatMap((organization) =>
    organization.projects.map((project) => ({ org: organization.slug, project: project.slug })),
  );
  const last = localStorage.getItem(stored);
  return all.find(({ org, project }) => `${org}/${project}` === last) ?? all[0] ?? null;
}
