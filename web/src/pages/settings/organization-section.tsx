import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { ingestHealthQuery } from '../../api/ingest-health.ts';
import { useOrganizationActions } from '../../api/members.ts';
import { sessionQuery } from '../../api/session.ts';
import type { IngestHealth } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Card, Stat, Stats } from '../../design/card.tsx';
import { deferred } from '../../design/deferred.tsx';
import { Count, Share } from '../../design/figures.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { ErrorText } from '../../design/error-text.tsx';
import { Switch } from '../../design/switch.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { formatExact } from '../../format/number-format.ts';
import { formatUtcDay } from '../../format/time-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { NameForm } from './name-form.tsx';
import { plans } from '../../../../src/contract/plans.ts';

const NewOrganizationDialog = deferred(() => import('../../frame/new-organization-dialog.tsx'));

/** The organization, its plan and the use of the monthly quota. */
export function OrganizationSection(): ReactNode {
  const { organization, projectId, can } = useProject();
  const health = useQuery(ingestHealthQuery(projectId));
  const session = useQuery(sessionQuery);
  return (
    <>
      <Card title={<Visible text={organization.name} />}>
        <div className="flex flex-col gap-3 p-3">
          <Stats>
            <Stat label="Plan" value={organization.plan} note="Managed by your operator" />
            <Stat label="Retention" value={`${plans[organization.plan].retentionDays} days`} note="Older data is hidden" />
            <Stat label="Projects" value={organization.projects.length} note={`Your role: ${organization.role}`} />
          </Stats>
          {failureOf(health) ? (
            <Failure error={health.error} />
          ) : health.data ? (
            <Quota health={health.data} />
          ) : (
            <Skeleton className="h-14" />
          )}
        </div>
      </Card>
      {can('organization:manage') && <Rename />}
      {can('organization:manage') && <SharedLinks />}
      {can('keys:manage') && <NewProject />}
      {session.data?.mayCreateOrganizations && <NewOrganization />}
    </>
  );
}

function Quota({ health: { quota } }: { health: IngestHealth }): ReactNode {
  const share = quota.used / quota.limit;
  return (
    <div>
      <p className="flex justify-between text-ink-soft">
        <span>
          <Count value={quota.used} /> of <Count value={quota.limit} /> events this month
        </span>
        <span>
          <Share value={share} /> · Resets <time dateTime={quota.resetsAt}>{formatUtcDay(quota.resetsAt.slice(0, 10))}</time>
        </span>
      </p>
      <div
        role="progressbar"
        aria-label="Events this month"
        aria-valuemin={0}
        aria-valuemax={quota.limit}
        aria-valuenow={quota.used}
        aria-valuetext={`${formatExact(quota.used)} of ${formatExact(quota.limit)}`}
        className="mt-1 h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className={share >= 0.9 ? 'h-full bg-bad' : 'h-full bg-accent'}
          style={{ width: `${Math.min(100, Math.max(share * 100, 0.5))}%` }}
        />
      </div>
    </div>
  );
}

function Rename(): ReactNode {
  const { organization } = useProject();
  const { rename } = useOrganizationActions(organization.id);
  const say = useToast();
  return (
    <Card title="Name">
      <div className="p-3">
        <NameForm
          key={organization.name}
          label="Organization name"
          action="Rename"
          initial={organization.name}
          busy={rename.isPending}
          error={rename.error?.message ?? null}
          onSubmit={(name) => rename.mutate(name, { onSuccess: () => say('Organization renamed') })}
        />
      </div>
    </Card>
  );
}

function SharedLinks(): ReactNode {
  const { organization } = useProject();
  const { setSharedLinks } = useOrganizationActions(organization.id);
  const say = useToast();
  const change = (allowed: boolean) =>
    setSharedLinks.mutate(allowed, { onSuccess: () => say(allowed ? 'Shared links allowed' : 'Shared links switched off') });
  return (
    <Card title="Shared links">
      <div className="flex flex-col items-start gap-1.5 p-3">
        <p className="text-ink-soft">
          Members can share a trace by a link that needs no account. When off, no link can be made, and existing links stop
          working.
        </p>
        <Switch
          label="Allow shared links"
          checked={organization.sharedLinks}
          disabled={setSharedLinks.isPending}
          onChange={change}
        />
        <ErrorText text={setSharedLinks.error?.message ?? null} />
      </div>
    </Card>
  );
}

function NewOrganization(): ReactNode {
  const [creating, setCreating] = useState(false);
  return (
    <Card title="Further organizations">
      <div className="flex flex-col items-start gap-2 p-3">
        <p className="text-ink-soft">An organization has members, projects and a plan of its own.</p>
        <Button onClick={() => setCreating(true)}>New organization</Button>
      </div>
      {creating && <NewOrganizationDialog onClose={() => setCreating(false)} />}
    </Card>
  );
}

function NewProject(): ReactNode {
  const { organization, at } = useProject();
  const { createProject } = useOrganizationActions(organization.id);
  const navigate = useNavigate();
  return (
    <Card title="New project">
      <div className="p-3">
        <NameForm
          label="Name"
          action="Create project"
          busy={createProject.isPending}
          error={createProject.error?.message ?? null}
          onSubmit={(name) =>
            createProject.mutate(name, { onSuccess: ({ slug }) => void navigate(pages.start({ org: at.org, project: slug })) })
          }
        />
      </div>
    </Card>
  );
}
