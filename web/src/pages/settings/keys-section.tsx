import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { ApiError } from '../../api/client.ts';
import { apiKeysQuery, useKeyActions } from '../../api/keys.ts';
import type { ApiKey } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Absent, Moment } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { NameForm } from './name-form.tsx';
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
        <NameForm
          label="New key"
          placeholder="What it is for, such as: checkout service"
          action="Make a key"
          busy={actions.create.isPending}
          error={actions.create.error?.message ?? null}
          onSubmit={(name, clear) =>
            actions.create.mutate(name, {
              onSuccess: ({ key }) => {
                setSecret(key);
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
        <Empty title="No keys">Make one above; an application sends with it.</Empty>
      ) : (
        <PlainTable
          label="API keys"
          head={['Name', 'Begins with', 'Made', 'Last used', 'Actions']}
          rows={query.data.apiKeys.map((key) => ({ key: key.id, cells: keyCells(key, setRotating, setRevoking) }))}
        />
      )}
      <SecretDialog
        title="The new key"
        description="It is shown this once: the service keeps only a fingerprint of it. Put it where your application reads it."
        secret={secret}
        onClose={() => setSecret(null)}
      />
      {rotating && <RotateDialog apiKey={rotating} onClose={() => setRotating(null)} onSecret={setSecret} />}
      <Confirm
        open={revoking !== null}
        onOpenChange={() => setRevoking(null)}
        title="Revoke this key?"
        description={
          <>
            Whatever still sends with <Visible text={revoking?.name ?? ''} className="font-medium" /> is refused at once. This
            cannot be taken back.
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
              say('The key was revoked.');
            },
          })
        }
      />
    </Card>
  );
}

function keyCells(key: ApiKey, rotate: (key: ApiKey) => void, revoke: (key: ApiKey) => void): ReactNode[] {
  return [
    <VisibleLine key="n" text={key.name} className="font-medium" />,
    <code key="p" className="font-mono text-xs">
      {key.prefix}…
    </code>,
    <Moment key="c" ago iso={key.createdAt} />,
    <span key="u">
      {key.lastUsedAt === null ? <Absent why="Nothing was sent with it yet" text="never" /> : <Moment ago iso={key.lastUsedAt} />}
      {key.previousSecretExpiresAt !== null && (
        <span className="block text-2xs text-warn">
          old secret until <Moment iso={key.previousSecretExpiresAt} />
        </span>
      )}
    </span>,
    <span key="a" className="flex justify-end gap-1">
      <Button look="quiet" onClick={() => rotate(key)} aria-label={`Rotate ${key.name}`}>
        Rotate
      </Button>
      <Button look="quiet-danger" onClick={() => revoke(key)} aria-label={`Revoke ${key.name}`}>
        Revoke
      </Button>
    </span>,
  ];
}
