import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, Plus } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { ReactNode } from 'react';
import { sessionQuery } from '../api/session.ts';
import type { CurrentSession } from '../api/service.ts';
import { deferred } from '../design/deferred.tsx';
import { Menu, MenuItem, MenuLabel } from '../design/menu.tsx';
import { Visible } from '../design/visible.tsx';
import { pages } from '../paths.ts';
import { useProject } from './project-context.ts';

const NewProjectDialog = deferred(() => import('./new-project-dialog.tsx'));

/** The current organization and project, with a menu of all others. */
export function ProjectSwitch(): ReactNode {
  const { organization, project } = useProject();
  const { data } = useQuery(sessionQuery);
  const navigate = useNavigate();
  const [creatingIn, setCreatingIn] = useState<CurrentSession['organizations'][number] | null>(null);
  return (
    <>
      <Menu
        trigger={
          <button type="button" className="flex w-full items-center gap-2 rounded-md p-1.5 text-left hover:bg-hover">
            <img src="/favicon.svg" alt="" className="size-7 shrink-0 rounded-md" />
            <span className="min-w-0 flex-1">
              <span className="sr-only">Project </span>
              <Visible text={project.name} className="block truncate font-semibold" />
              <Visible text={organization.name} className="block truncate text-xs text-ink-faint" />
            </span>
            <ChevronsUpDown className="size-4 shrink-0 text-ink-faint" aria-hidden />
          </button>
        }
      >
        {(data?.organizations ?? []).map((one) => (
          <Fragment key={one.id}>
            <MenuLabel>
              <Visible text={one.name} />
            </MenuLabel>
            {one.projects.map((other) => (
              <MenuItem
                key={other.id}
                current={other.id === project.id}
                onSelect={() => void navigate(pages.overview({ org: one.slug, project: other.slug }))}
              >
                <Visible text={other.name} className="truncate" />
              </MenuItem>
            ))}
            {one.projects.length === 0 && <MenuLabel>No projects</MenuLabel>}
            {one.permissions.includes('keys:manage') && (
              <MenuItem onSelect={() => setCreatingIn(one)}>
                <Plus aria-hidden />
                New project
              </MenuItem>
            )}
          </Fragment>
        ))}
      </Menu>
      {creatingIn && <NewProjectDialog organization={creatingIn} onClose={() => setCreatingIn(null)} />}
    </>
  );
}
