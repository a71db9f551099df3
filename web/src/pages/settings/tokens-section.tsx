import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { tokensQuery, useTokenActions } from '../../api/keys.ts';
import type { Token } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Absent, Moment } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { TokenForm } from './token-form.tsx';
import { useTick } from '../../frame/use-tick.ts';
import { SecretDialog } from './secret-dialog.tsx';

/** The viewer's personal access tokens, which have the viewer's permissions. */
export function TokensSection(): ReactNode {
  const query = useQuery(tokensQuery);
  const { create, remove } = useTokenActions();
  const [secret, setSecret] = useState<string | null>(null);
  const [removing, setRemoving] = useState<Token | null>(null);
  const say = useToast();
  return (
    <Card title="Personal access tokens">
      <div className="flex flex-col gap-2 border-b border-line p-3">
        <p className="text-ink-soft">
          For scripts and CI. A token has your permissions. Header:{' '}
          <code className="font-mono">Authorization: Bearer spwu_…</code>
        </p>
        <TokenForm
          busy={create.isPending}
          error={create.error?.message ?? null}
          onSubmit={(token, clear) =>
            create.mutate(token, {
              onSuccess: ({ token: made }) => {
                setSecret(made);
                clear();
              },
            })
          }
        />
      </div>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <Skeleton className="m-3 h-24" />
      ) : query.data.tokens.length === 0 ? (
        <Empty title="No tokens">Create a token for scripts and CI.</Empty>
      ) : (
        <PlainTable
          label="Personal access tokens"
          head={['Name', 'Prefix', 'Created', 'Last used', 'Expires', 'Actions']}
          rows={query.data.tokens.map((token) => ({
            key: token.id,
            cells: [
              <VisibleLine key="n" text={token.name} className="font-medium" />,
              <code key="p" className="font-mono text-xs">
                {token.prefix}…
              </code>,
              <Moment key="c" ago iso={token.createdAt} />,
              token.lastUsedAt === null ? (
                <Absent key="u" why="Never used" text="never" />
              ) : (
                <Moment key="u" ago iso={token.lastUsedAt} />
              ),
              <Expiry key="e" iso={token.expiresAt} />,
              <Button key="d" look="quiet-danger" onClick={() => setRemoving(token)} aria-label={`Delete ${token.name}`}>
                Delete
              </Button>,
            ],
          }))}
        />
      )}
      <SecretDialog
        title="New token"
        description="Shown once. Store it like a password."
        secret={secret}
        onClose={() => setSecret(null)}
      />
      <Confirm
        open={removing !== null}
        onOpenChange={() => setRemoving(null)}
        title="Delete token?"
        description={
          <>
            Requests with <Visible text={removing?.name ?? ''} className="font-medium" /> are rejected immediately. This can't be
            undone.
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
              say('Token deleted');
            },
          })
        }
      />
    </Card>
  );
}

function Expiry({ iso }: { iso: string | null }): ReactNode {
  const now = useTick(60_000);
  if (iso === null) return <Absent why="Valid until it is deleted" text="never" />;
  if (Date.parse(iso) <= now) return <Badge tone="warn">expired</Badge>;
  return <Moment iso={iso} />;
}
