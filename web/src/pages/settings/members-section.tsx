import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { membersQuery, useMemberActions } from '../../api/members.ts';
import type { Member, Role } from '../../api/wire.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Select } from '../../design/field.tsx';
import { Moment } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { AddMember } from './add-member.tsx';
import { grantableRoles, roleOptions } from './roles.ts';

/** The members of the organization and their roles. */
export function MembersSection(): ReactNode {
  const { organization, can, user } = useProject();
  const query = useQuery(membersQuery(organization.id));
  const { remove } = useMemberActions(organization.id);
  const [removing, setRemoving] = useState<Member | null>(null);
  const say = useToast();
  const canManage = can('members:manage');
  const mayChange = ({ role }: Member) => canManage && (organization.role === 'owner' || role !== 'owner');
  const cells = (member: Member): ReactNode[] => [
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
          mayChange(member) && (
            <Button key="d" look="quiet-danger" onClick={() => setRemoving(member)} aria-label={`Remove ${member.name}`}>
              Remove
            </Button>
          ),
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
      aside={canManage && <AddMember />}
    >
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <PlainTable
          label="Members"
          head={['Member', 'Role', 'Added', ...(canManage ? ['Actions'] : [])]}
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
              say('Member removed');
            },
          })
        }
      />
    </Card>
  );
}

function RoleSelect({ member }: { member: Member }): ReactNode {
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
