import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { invitationsQuery, useInvitationActions } from '../../api/invitations.ts';
import type { Invitation } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Moment } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { useTick } from '../../frame/use-tick.ts';

interface InvitationsCardProps {
  /** Called with the link to hand over; null: it is mailed. */
  onInvited(email: string, url: string | null): void;
}

/** The invitations that wait for their acceptance. Hidden while there are none. */
export function InvitationsCard({ onInvited }: InvitationsCardProps): ReactNode {
  const { organization } = useProject();
  const query = useQuery(invitationsQuery(organization.id));
  const { invite, remove } = useInvitationActions(organization.id);
  const [removing, setRemoving] = useState<Invitation | null>(null);
  const say = useToast();
  const now = useTick(60_000);
  if (query.data?.invitations.length === 0) return null;
  const again = ({ email, role }: Invitation) =>
    invite.mutate(
      { email, role },
      { onSuccess: ({ url }) => onInvited(email, url), onError: (error) => say(error.message, 'bad') },
    );
  const mayGrant = ({ role }: Invitation) => organization.role === 'owner' || role !== 'owner';
  const cells = (one: Invitation): ReactNode[] => [
    <span key="e" className="flex min-w-0 items-center gap-1.5">
      <VisibleLine text={one.email} className="font-medium" />
      <MailState invitation={one} expired={Date.parse(one.expiresAt) <= now} />
    </span>,
    <Badge key="r">{one.role}</Badge>,
    <Moment key="x" iso={one.expiresAt} />,
    <span key="a" className="flex justify-end gap-1">
      {mayGrant(one) && (
        <Button look="quiet" onClick={() => again(one)} aria-label={`New link for ${one.email}`}>
          {one.mail === 'none' ? 'New link' : 'Send again'}
        </Button>
      )}
      <Button look="quiet-danger" onClick={() => setRemoving(one)} aria-label={`Delete the invitation of ${one.email}`}>
        Delete
      </Button>
    </span>,
  ];
  return (
    <Card title="Pending invitations">
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <PlainTable
          label="Pending invitations"
          head={['Email', 'Role', 'Valid until', 'Actions']}
          rows={query.data.invitations.map((one) => ({ key: one.id, cells: cells(one) }))}
        />
      ) : (
        <Skeleton className="m-3 h-12" />
      )}
      <Confirm
        open={removing !== null}
        onOpenChange={() => setRemoving(null)}
        title="Delete invitation?"
        description={
          <>
            The link of <Visible text={removing?.email ?? ''} className="font-medium" /> no longer works.
          </>
        }
        action="Delete"
        busy={remove.isPending}
        error={remove.error?.message ?? null}
        onConfirm={() =>
          removing &&
          remove.mutate(removing.id, {
            onSuccess: () => {
              setRemoving(null);
              say('Invitation deleted');
            },
          })
        }
      />
    </Card>
  );
}

function MailState({ invitation: { mail }, expired }: { invitation: Invitation; expired: boolean }): ReactNode {
  if (expired) return <Badge tone="warn">expired</Badge>;
  if (mail === 'failed') return <Badge tone="bad">mail failed</Badge>;
  if (mail === 'waiting') return <Badge>sending</Badge>;
  return null;
}
