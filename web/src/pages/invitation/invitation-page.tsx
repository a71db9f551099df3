import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { failureOf } from '../../api/failure-of.ts';
import { openedInvitationQuery } from '../../api/invitations.ts';
import type { OpenedInvitation } from '../../api/invitations.ts';
import { useSignOut } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { ErrorText } from '../../design/error-text.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { AccountCard } from '../../frame/account-card.tsx';
import { formatUtcDay } from '../../format/time-format.ts';
import { pages } from '../../paths.ts';
import { JoinForm } from './join-form.tsx';
import { NewAccountForm } from './new-account-form.tsx';

/** The page that the link of an invitation opens. */
export default function InvitationPage(): ReactNode {
  const { token } = useParams({ from: '/invite/$token' });
  const query = useQuery(openedInvitationQuery(token));
  if (query.data) return <Opened token={token} {...query.data} />;
  if (query.error instanceof ApiError && query.error.status === 404) return <NotValid />;
  return (
    <AccountCard title="Invitation" text="To an organization in Spanwise">
      {failureOf(query) ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Skeleton className="h-24" />}
    </AccountCard>
  );
}

function NotValid(): ReactNode {
  return (
    <AccountCard title="Invitation not valid" text="This link was used or deleted, or has expired.">
      <p className="text-ink-soft">Ask who invited you for a new one. If you accepted it already, sign in.</p>
      <Link {...pages.signIn()} className="text-accent hover:underline">
        Go to sign-in
      </Link>
    </AccountCard>
  );
}

function Opened({ token, invitation, user }: OpenedInvitation & { token: string }): ReactNode {
  const { organizationName, email, role, expiresAt } = invitation;
  const isInvited = user !== null && user.email.toLowerCase() === email.toLowerCase();
  return (
    <AccountCard
      title="Invitation"
      text={
        <>
          To <Visible text={organizationName} className="font-medium" /> as {role}, for <Visible text={email} />
        </>
      }
      note={`The invitation is valid until ${formatUtcDay(expiresAt.slice(0, 10))}.`}
    >
      {isInvited ? (
        <JoinForm token={token} user={user} />
      ) : user !== null ? (
        <AnotherUser user={user} email={email} />
      ) : (
        <NewAccountForm token={token} email={email} />
      )}
    </AccountCard>
  );
}

function AnotherUser({ user, email }: { user: NonNullable<OpenedInvitation['user']>; email: string }): ReactNode {
  const signOut = useSignOut();
  const navigate = useNavigate();
  const { token } = useParams({ from: '/invite/$token' });
  return (
    <>
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        You are signed in as <Visible text={user.email} className="font-medium text-ink" />. Sign out to accept the invitation as{' '}
        <Visible text={email} className="font-medium text-ink" />.
      </p>
      <ErrorText text={signOut.error?.message ?? null} />
      <Button
        look="primary"
        busy={signOut.isPending}
        onClick={() =>
          signOut.mutate(undefined, { onSuccess: () => void navigate({ ...pages.invitation(token), replace: true }) })
        }
      >
        Sign out
      </Button>
    </>
  );
}
