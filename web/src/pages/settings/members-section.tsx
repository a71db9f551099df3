import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { membersQuery, useMemberActions } from '../../api/members.ts';
import type { Role } from '../../api/parts.ts';
import type { ListedMember } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Select } from '../../design/field.tsx';
import { Absent, Moment } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { InvitationsCard } from './invitations-card.tsx';
import { InviteMember } from './invite-member.tsx';
import { LeaveOrganization } from './leave-organization.tsx';
import { grantableRoles, roleOptions } from './roles.ts';
import { SecretDialog } from './secret-dialog.tsx';

/** The members of the organization with their roles and the use of their tokens, and the invitations that wait. */
export function MembersSection(): ReactNode {
  const { can } = useProject();
  const [handed, setHanded] = useState<{ email: string; url: string } | null>(null);
  const say = useToast();
  const onInvited = (email: string, url: string | null) => {
    if (url === null) say(`The invitation is mailed to ${email}`);
    else setHanded({ email, url });
  };
  return (
    <>
      <Members onInvited={onInvited} />
      {can('members:manage') && <InvitationsCard onInvited={onInvited} />}
      <SecretDialog
        title="Link of the invitation"
        label="Link"
        description={
          <>
            Give this link to <Visible text={handed?.email ?? ''} className="font-medium" />, and to nobody else: who has it can
            accept. It works once, for 7 days. Shown once.
          </>
        }
        secret={handed?.url ?? null}
        onClose={() => setHanded(null)}
      />
    </>
  );
}

function Members({ onInvited }: { onInvited(email: string, url: string | null): void }): ReactNode {
  const { organization, can, user } = useProject();
  const query = useQuery(membersQuery(organization.id));
  const { remove, revoke } = useMemberActions(organization.id);
  const [removing, setRemoving] = useState<ListedMember | null>(null);
  const [revoking, setRevoking] = useState<ListedMember | null>(null);
  const say = useToast();
  const canManage = can('members:manage');
  const mayChange = ({ role }: ListedMember) => canManage && (organization.role === 'owner' || role !== 'owner');
  const cells = (member: ListedMember): ReactNode[] => [
    <span key="n" className="block min-w-0">
      <span className="flex min-w-0 items-center gap-1.5">
        <Visible text={member.name} className="truncate font-medium" />
        {member.userId === user.id && (
          <span className="shrink-0">
            <Badge>you</Badge>
          </span>
        )}
      </span>
      <Visible text={member.email} className="block truncate text-xs text-ink-faint" />
    </span>,
    mayChange(member) ? <RoleSelect key="r" member={member} /> : <Badge key="r">{member.role}</Badge>,
    <Moment key="c" ago iso={member.createdAt} />,
    ...(canManage
      ? [
          <TokenUse key="t" tokens={member.tokens} />,
          <span key="d" className="flex justify-end gap-1">
            {mayChange(member) && member.tokens !== null && (
              <Button look="quiet" onClick={() => setRevoking(member)} aria-label={`End access of ${member.name}`}>
                End access
              </Button>
            )}
            {mayChange(member) && (
              <Button look="quiet-danger" onClick={() => setRemoving(member)} aria-label={`Remove ${member.name}`}>
                Remove
              </Button>
            )}
          </span>,
        ]
      : []),
  ];
  return (
    <Card
      title={
        <>
          Members of <Visible text={organization.name} />
        </>
      }
      aside={
        <span className="flex items-center gap-2">
          <LeaveOrganization />
          {canManage && <InviteMember onInvited={onInvited} />}
        </span>
      }
    >
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <PlainTable
          label="Members"
          head={['ListedMember', 'Role', 'Added', ...(canManage ? ['Tokens used', 'Actions'] : [])]}
          rows={query.data.members.map((member) => ({ key: member.userId, cells: cells(member) }))}
        />
      ) : (
        <Skeleton className="m-3 h-24" />
      )}
      {query.data && query.data.nextCursor !== null && (
        <p className="px-3 py-2 text-xs text-ink-faint">Showing the first 200 members.</p>
      )}
      <Confirm
        open={removing !== null}
        onOpenChange={() => setRemoving(null)}
        title="Remove member?"
        description={
          <>
            <Visible text={removing?.name ?? ''} className="font-medium" /> loses access to every project of the organization.
          </>
        }
        action="Remove"
        busy={remove.isPending}
        error={remove.error?.message ?? null}
        onConfirm={() =>
          removing &&
          remove.mutate(removing.userId, {
            onSuccess: () => {
              setRemoving(null);
              say('ListedMember removed');
            },
          })
        }
      />
      <Confirm
        open={revoking !== null}
        onOpenChange={() => setRevoking(null)}
        title="End sessions and tokens?"
        description={
          <>
            <Visible text={revoking?.name ?? ''} className="font-medium" /> is signed out everywhere, and all their personal
            access tokens are deleted. Their password stays.
          </>
        }
        action="End sessions and tokens"
        busy={revoke.isPending}
        error={revoke.error?.message ?? null}
        onConfirm={() =>
          revoking &&
          revoke.mutate(revoking.userId, {
            onSuccess: () => {
              setRevoking(null);
              say('Sessions and tokens ended');
            },
          })
        }
      />
    </Card>
  );
}

function TokenUse({ tokens }: Pick<ListedMember, 'tokens'>): ReactNode {
  if (tokens === null) return <Absent why="This person belongs to further organizations" />;
  if (tokens.count === 0) return <Absent why="No personal access tokens" text="none" />;
  if (tokens.lastUsedAt === null) return <Absent why={`${tokens.count} personal access tokens, never used`} text="never" />;
  return <Moment ago iso={tokens.lastUsedAt} />;
}

function RoleSelect({ member }: { member: ListedMember }): ReactNode {
  const { organization } = useProject();
  const { changeRole } = useMemberActions(organization.id);
  const say = useToast();
  const change = (role: Role) =>
    changeRole.mutate(
      { userId: member.userId, role },
      { onSuccess: () => say(`${member.name} is now ${role}`), onError: (error) => say(error.message, 'bad') },
    );
  return (
    <Select
      label={`Role of ${member.name}`}
      labelHidden
      className="ml-auto w-28"
      value={member.role}
      options={roleOptions(grantableRoles(organization.role))}
      onValue={change}
    />
  );
}
