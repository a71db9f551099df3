import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { sessionQuery, useSignOut } from '../../api/session.ts';
import type { CurrentSession } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { deferred } from '../../design/deferred.tsx';
import { Empty } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { OutsidePage } from '../../frame/outside-page.tsx';
import { pages } from '../../paths.ts';

const NewProjectDialog = deferred(() => import('../../frame/new-project-dialog.tsx'));
const NewOrganizationDialog = deferred(() => import('../../frame/new-organization-dialog.tsx'));

/** What a person without projects sees: how to get one. */
export default function HomePage(): ReactNode {
  const { data } = useQuery(sessionQuery);
  const [creatingIn, setCreatingIn] = useState<CurrentSession['organizations'][number] | null>(null);
  const [creating, setCreating] = useState(false);
  const signOut = useSignOut();
  const navigate = useNavigate();
  const manageable = (data?.organizations ?? []).filter(({ permissions }) => permissions.includes('keys:manage'));
  return (
    <OutsidePage title="Your projects">
      <Empty
        title="No projects"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {manageable.map((organization) => (
              <Button key={organization.id} look="primary" onClick={() => setCreatingIn(organization)}>
                New project in <Visible text={organization.name} />
              </Button>
            ))}
            {data?.mayCreateOrganizations && <Button onClick={() => setCreating(true)}>New organization</Button>}
            <Button onClick={() => signOut.mutate(undefined, { onSuccess: () => void navigate(pages.signIn()) })}>
              Sign out
            </Button>
          </div>
        }
      >
        {manageable.length === 0 && 'Ask an owner or admin of an organization to invite you, or to create a project.'}
      </Empty>
      {creatingIn && <NewProjectDialog organization={creatingIn} onClose={() => setCreatingIn(null)} />}
      {creating && <NewOrganizationDialog onClose={() => setCreating(false)} />}
    </OutsidePage>
  );
}
