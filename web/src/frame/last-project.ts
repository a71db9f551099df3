import type { CurrentSession } from '../api/wire.ts';
import type { ProjectPath } from '../paths.ts';

const stored = 'spanwise-project';

/** Keeps the project that the viewer looks at, for when they come back. */
export function rememberProject({ org, project }: ProjectPath): void {
  localStorage.setItem(stored, `${org}/${project}`);
}

/** The project to begin with: the last one, else the first there is; null when there is none. */
export function firstProject({ organizations }: CurrentSession): ProjectPath | null {
  const all = organizations.flatMap((organization) =>
    organization.projects.map((project) => ({ org: organization.slug, project: project.slug })),
  );
  const last = localStorage.getItem(stored);
  return all.find(({ org, project }) => `${org}/${project}` === last) ?? all[0] ?? null;
}
