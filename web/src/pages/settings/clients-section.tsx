import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { ingestHealthQuery } from '../../api/ingest-health.ts';
import type { IngestClient } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { Card } from '../../design/card.tsx';
import { Absent, Count, Moment } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { droppedOf, kindNames, reasonTexts } from './client-figures.ts';
import { maxListedClients } from '../../../../src/contract/limits.ts';

/** The clients that send data to a project: what of each was accepted, rejected and dropped. */
export function ClientsSection(): ReactNode {
  const { at, projectId } = useProject();
  const query = useQuery(ingestHealthQuery(projectId));
  const clients = query.data?.clients;
  return (
    <Card title="Clients" aside={<span className="text-xs text-ink-faint">last 7 days, UTC</span>}>
      <p className="border-b border-line p-3 text-ink-soft">
        Versions of the SDK, OpenTelemetry exporters by instrumentation scope, and other programs that sent data with a key of
        this project. The SDK also reports the events that it dropped before sending them.
      </p>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !clients ? (
        <Skeleton className="m-3 h-24" />
      ) : clients.length === 0 ? (
        <Empty title="No clients in the last 7 days">
          <Link {...pages.start(at)} className="text-accent hover:underline">
            Set up
          </Link>
        </Empty>
      ) : (
        <>
          <PlainTable
            label="Clients"
            head={['Client', 'Version', 'Last seen', 'Accepted', 'Rejected', 'Dropped']}
            rows={clients.map((client) => ({ key: keyOf(client), cells: cellsOf(client) }))}
          />
          {clients.length >= maxListedClients && (
            <p role="note" className="p-3 text-ink-soft">
              The {maxListedClients} clients that were seen last are shown.
            </p>
          )}
        </>
      )}
    </Card>
  );
}

function keyOf({ kind, client, version, scope }: IngestClient): string {
  return JSON.stringify([kind, client, version, scope]);
}

function cellsOf(client: IngestClient): ReactNode[] {
  const { kind, scope, version, lastSeenAt, accepted, rejected } = client;
  const dropped = droppedOf(client);
  return [
    <span key="n" className="block">
      <span className="flex min-w-0 items-center gap-2">
        <VisibleLine text={client.client} className="min-w-0 font-medium" />
        <Badge>{kindNames[kind]}</Badge>
      </span>
      {scope !== undefined && <VisibleLine text={scope} className="text-xs text-ink-faint" />}
    </span>,
    version === null ? (
      <Absent key="v" why="The client names no version" />
    ) : (
      <span key="v" className="inline-block max-w-32 align-middle">
        <VisibleLine text={version} />
      </span>
    ),
    <Moment key="l" ago iso={lastSeenAt} />,
    <Count key="a" value={accepted} />,
    <Figure key="r" value={rejected} reasons={reasonTexts(client.reasons)} />,
    kind === 'sdk' ? (
      <Figure key="d" value={dropped.total} reasons={reasonTexts(dropped.reasons)} />
    ) : (
      <Absent key="d" why="Only the SDK reports what it dropped" />
    ),
  ];
}

function Figure({ value, reasons }: { value: number; reasons: readonly string[] }): ReactNode {
  return (
    <span className={value > 0 ? 'text-bad' : ''}>
      <Count value={value} />
      {reasons.map((reason) => (
        <span key={reason} className="block text-xs text-ink-faint">
          {reason}
        </span>
      ))}
    </span>
  );
}
