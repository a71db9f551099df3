import { Link } from '@tanstack/react-router';
import type { PolicyRecord } from '../../api/policies.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import type { Column } from '../../design/column.ts';
import { Absent, Moment } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import { driftOf } from './policy-words.ts';

interface PolicyColumnsProps {
  at: ProjectPath;
  /** Whether the project has ever applied files. */
  applied: boolean;
  /** Null without the permission. */
  onMove: ((policy: PolicyRecord, to: 'detach' | 'attach') => void) | null;
}

/** The columns of the list of policies. */
export function policyColumns({ at, applied, onMove }: PolicyColumnsProps): ReadonlyArray<Column<PolicyRecord>> {
  return [
    {
      id: 'name',
      title: 'Name',
      width: 170,
      grow: true,
      cell: ({ kind, name }) => (
        <Link
          {...(kind === 'Guardrail' ? pages.guardrail(at, name) : pages.environments(at))}
          className="font-medium hover:text-accent hover:underline"
        >
          <VisibleLine text={name} />
        </Link>
      ),
    },
    { id: 'kind', title: 'Kind', width: 104, cell: ({ kind }) => kind },
    { id: 'managed', title: 'Managed by', width: 170, cell: (policy) => <Manager policy={policy} applied={applied} /> },
    {
      id: 'file',
      title: 'File',
      width: 150,
      grow: true,
      cell: ({ path, sha256 }) =>
        path === null ? (
          <Absent why="In no applied file" />
        ) : (
          <span title={sha256 === null ? undefined : `SHA-256 ${sha256}`}>
            <VisibleLine text={path} className="font-mono text-xs" />
          </span>
        ),
    },
    { id: 'updated', title: 'Updated', width: 90, align: 'end', cell: ({ updatedAt }) => <Moment ago iso={updatedAt} /> },
    {
      id: 'by',
      title: 'Updated by',
      width: 150,
      droppable: true,
      cell: ({ updatedBy }) => <VisibleLine text={updatedBy} className="text-ink-soft" />,
    },
    ...(onMove === null
      ? []
      : [
          {
            id: 'actions',
            title: 'Actions',
            width: 96,
            align: 'end' as const,
            cell: (policy: PolicyRecord) => <Mover policy={policy} onMove={onMove} />,
          },
        ]),
  ];
}

function Manager({ policy, applied }: { policy: PolicyRecord; applied: boolean }) {
  const drift = driftOf(policy, applied);
  if (policy.managedBy === 'code') return <Badge tone="accent">code</Badge>;
  if (drift === 'detached' || policy.detached) {
    return (
      <>
        <Badge>dashboard</Badge>{' '}
        <Badge tone="warn" title="Detached from its file. Files that name it can't be applied until it is attached.">
          detached
        </Badge>
      </>
    );
  }
  return (
    <>
      <Badge>dashboard</Badge>{' '}
      {drift !== null && (
        <Badge tone="warn" title="Created in the dashboard. Add it to the files to manage it as code.">
          unmanaged
        </Badge>
      )}
    </>
  );
}

function Mover({ policy, onMove }: { policy: PolicyRecord; onMove: NonNullable<PolicyColumnsProps['onMove']> }) {
  const to = policy.managedBy === 'code' ? 'detach' : policy.detached ? 'attach' : null;
  if (to === null) return null;
  return (
    <Button
      look="quiet"
      size="small"
      aria-label={`${to === 'detach' ? 'Detach' : 'Attach'} ${policy.name}`}
      onClick={() => onMove(policy, to)}
    >
      {to === 'detach' ? 'Detach' : 'Attach'}
    </Button>
  );
}
