import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { ApiError } from '../../api/client.ts';
import { apiKeysQuery, useKeyActions } from '../../api/keys.ts';
import type { ApiKey } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Absent, Moment } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { KeyDialog } from './key-dialog.tsx';
import { KeyForm } from './key-form.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';

/** The API keys of the project. */
export function KeysSection(): ReactNode {
  const { can } = useProject();
  if (!can('keys:manage')) {
    return <Failure error={new ApiError(403, 'forbidden', 'Your role lacks the permission keys:manage')} />;
  }
  return <Keys />;
}

function Keys(): ReactNode {
  const { projectId, project } = useProject();
  const query = useQuery(apiKeysQuery(projectId));
  const actions = useKeyActions(projectId);
  const [secret, setSecret] = useState<string | null>(null);
  const [editing, setEditing] = useState<ApiKey | null>(null);
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const say = useToast();
  return (
    <Card
      title={
        <>
          API keys of <Visible text={project.name} />
        </>
      }
    >
      <div className="border-b border-line p-3">
        <KeyForm
          busy={actions.create.isPending}
          error={actions.create.error?.message ?? null}
          onSubmit={(key, clear) =>
            actions.create.mutate(key, {
              onSuccess: ({ key: made }) => {
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
      ) : query.data.apiKeys.length === 0 ? (
        <Empty title="No API keys">Create a key to send data from an application.</Empty>
      ) : (
        <PlainTable
          label="API keys"
          head={['Name', 'Prefix', 'Created', 'Last used', 'Actions']}
          rows={query.data.apiKeys.map((key) => ({
            key: key.id,
            cells: keyCells(key, { edit: setEditing, rotate: setRotating, revoke: setRevoking }, query.dataUpdatedAt),
          }))}
        />
      )}
      <SecretDialog
        title="New API key"
        description="Shown once. Store it securely."
        secret={secret}
        onClose={() => setSecret(null)}
      />
      {editing && <KeyDialog apiKey={editing} onClose={() => setEditing(null)} />}
      {rotating && <RotateDialog apiKey={rotating} onClose={() => setRotating(null)} onSecret={setSecret} />}
      <Confirm
        open={revoking !== null}
        onOpenChange={() => setRevoking(null)}
        title="Revoke API key?"
        description={
          <>
            Requests with <Visible text={revoking?.name ?? ''} className="font-medium" /> are rejected immediately. This can't be
            undone.
          </>
        }
        action="Revoke"
        busy={actions.revoke.isPending}
        error={actions.revoke.error?.message ?? null}
        onConfirm={() =>
          revoking &&
          actions.revoke.mutate(revoking.id, {
            onSuccess: () => {
              setRevoking(null);
              say('API key revoked');
            },
          })
        }
      />
    </Card>
  );
}

type KeyActions = Readonly<Record<'edit' | 'rotate' | 'revoke', (key: ApiKey) => void>>;

function keyCells(key: ApiKey, { edit, rotate, revoke }: KeyActions, now: number): ReactNode[] {
  return [
    <div key="n">
      <VisibleLine text={key.name} className="font-medium" />
      <Scopes of={key} />
    </div>,
    <code key="p" className="font-mono text-xs">
      {key.prefix}…
    </code>,
    <Moment key="c" ago iso={key.createdAt} />,
    <span key="u">
      {key.lastUsedAt === null ? <Absent why="Never used" text="never" /> : <Moment ago iso={key.lastUsedAt} />}
      {key.previousSecretExpiresAt !== null && (
        <span className="block text-2xs text-warn">
          Old secret valid until <Moment iso={key.previousSecretExpiresAt} />
        </span>
      )}
      {key.expiresAt !== null && <Expiry iso={key.expiresAt} now={now} />}
    </span>,
    <span key="a" className="flex justify-end gap-1">
      <Button look="quiet" onClick={() => edit(key)} aria-label={`Edit ${key.name}`}>
        Edit
      </Button>
      <Button look="quiet" onClick={() => rotate(key)} aria-label={`Rotate ${key.name}`}>
        Rotate
      </Button>
      <Button look="quiet-danger" onClick={() => revoke(key)} aria-label={`Revoke ${key.name}`}>
        Revoke
      </Button>
    </span>,
  ];
}

/** What the key may do; scopes that it never used are marked. */
function Scopes({ of: { name, scopes, unusedScopes } }: { of: ApiKey }): ReactNode {
  if (scopes === null) return <span className="text-xs text-ink-faint">Full access</span>;
  return (
    <ul aria-label={`Scopes of ${name}`} className="mt-0.5 flex flex-wrap gap-1 whitespace-normal">
      {scopes.map((scope) => (
        <li key={scope} className="flex min-w-0">
          {unusedScopes.includes(scope) ? (
            <Badge shrink tone="warn" title="Never used. If the application doesn't need it, edit the key to remove it.">
              {scope}, unused
            </Badge>
          ) : (
            <Badge shrink>{scope}</Badge>
          )}
        </li>
      ))}
    </ul>
  );
}

/** @param now epoch milliseconds */
function Expiry({ iso, now }: { iso: string; now: number }): ReactNode {
  const isOver = Date.parse(iso) <= now;
  return (
    <span className={isOver ? 'block text-2xs text-bad' : 'block text-2xs text-ink-soft'}>
      {isOver ? 'Expired' : 'Expires'} <Moment iso={iso} />
    </span>
  );
}
