import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { connectionsQuery } from '../../api/connections.ts';
import type { ModelConnection } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Moment } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { ConnectionDialog } from '../../frame/connection-dialog.tsx';
import { DeleteConnection } from './delete-connection.tsx';

/** The model connections of a project. */
export function ConnectionsSection(): ReactNode {
  const { projectId, can } = useProject();
  const query = useQuery(connectionsQuery(projectId));
  const [edited, setEdited] = useState<ModelConnection | 'new' | null>(null);
  const [deleting, setDeleting] = useState<ModelConnection | null>(null);
  const canManage = can('connections:manage');
  const connections = query.data?.modelConnections;
  return (
    <Card
      title="Model connections"
      aside={
        canManage && (
          <Button size="small" onClick={() => setEdited('new')}>
            <Plus aria-hidden />
            New connection
          </Button>
        )
      }
    >
      <p className="border-b border-line p-3 text-ink-soft">
        OpenAI-compatible APIs used by LLM judges and simulations, managed by owners and admins. Keys are stored encrypted and
        never shown again.
      </p>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !connections ? (
        <Skeleton className="m-3 h-24" />
      ) : connections.length === 0 ? (
        <Empty title="No model connections">
          {canManage ? 'Create a connection to use LLM judges.' : 'Ask an owner or admin of the organization to create one.'}
        </Empty>
      ) : (
        <PlainTable
          label="Model connections"
          head={['Connection', 'Model', 'API key', 'Updated', ...(canManage ? ['Actions'] : [])]}
          rows={connections.map((connection) => ({
            key: connection.id,
            cells: [...cellsOf(connection), ...(canManage ? [actionsOf(connection, setEdited, setDeleting)] : [])],
          }))}
        />
      )}
      {edited !== null && <ConnectionDialog connection={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {deleting !== null && <DeleteConnection connection={deleting} onClose={() => setDeleting(null)} />}
    </Card>
  );
}

function cellsOf({ name, baseUrl, model, hasKey, updatedAt }: ModelConnection): ReactNode[] {
  return [
    <span key="n" className="block">
      <VisibleLine text={name} className="font-medium" />
      <VisibleLine text={baseUrl} className="text-xs text-ink-faint" />
    </span>,
    <span key="m" className="inline-block max-w-48 align-middle">
      <VisibleLine text={model} />
    </span>,
    <Badge key="k" tone={hasKey ? 'good' : 'neutral'}>
      {hasKey ? 'stored' : 'none'}
    </Badge>,
    <Moment key="u" ago iso={updatedAt} />,
  ];
}

function actionsOf(
  connection: ModelConnection,
  edit: (connection: ModelConnection) => void,
  remove: (connection: ModelConnection) => void,
): ReactNode {
  return (
    <span key="a" className="flex justify-end gap-1">
      <Button look="quiet" onClick={() => edit(connection)} aria-label={`Edit ${connection.name}`}>
        Edit
      </Button>
      <Button look="quiet-danger" onClick={() => remove(connection)} aria-label={`Delete ${connection.name}`}>
        Delete
      </Button>
    </span>
  );
}
