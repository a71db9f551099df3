import type { ReactNode } from 'react';
import type { Environment } from '../../api/service.ts';
import type { Column } from '../../design/column.ts';
import { Absent, Moment } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { CodeBadge } from '../../frame/managed-by-code.tsx';
import { TracesLink } from '../../frame/trace-links.tsx';
import { attachmentsOf } from './attached.ts';
import { AttachmentLink } from './attachment-link.tsx';
import { EnvironmentMenu } from './environment-menu.tsx';

/** The columns of the list of environments. */
export const environmentColumns: ReadonlyArray<Column<Environment>> = [
  {
    id: 'name',
    title: 'Environment',
    width: 140,
    cell: ({ name }) => (
      <span className="font-medium" title="View traces">
        <TracesLink filter={{ environment: name }} text={name} />
      </span>
    ),
  },
  {
    id: 'description',
    title: 'Description',
    width: 140,
    grow: true,
    cell: ({ description }) =>
      description === '' ? <Absent why="No description" /> : <VisibleLine text={description} className="text-ink-soft" />,
  },
  {
    id: 'attached',
    title: 'Used by',
    hint: 'Guardrails, alerts and open incidents',
    width: 200,
    cell: ({ attached }) => <Attached attached={attached} />,
  },
  {
    id: 'seen',
    title: 'Last seen',
    hint: 'Newest span with this name',
    width: 100,
    align: 'end',
    cell: ({ lastSeenAt }) =>
      lastSeenAt === null ? <Absent why="No span has this name" text="never" /> : <Moment ago iso={lastSeenAt} />,
  },
  {
    id: 'managed',
    title: 'Managed by',
    width: 102,
    cell: ({ managedBy }) => (managedBy === 'code' ? <CodeBadge short /> : <span className="text-ink-soft">dashboard</span>),
  },
  { id: 'actions', title: '', width: 52, align: 'end', cell: (environment) => <EnvironmentMenu environment={environment} /> },
];

function Attached({ attached }: Pick<Environment, 'attached'>): ReactNode {
  const all = attachmentsOf(attached);
  if (all.length === 0) return <Absent why="Not used" />;
  return all.map((attachment, index) => (
    <span key={`${attachment.kind} ${attachment.name}`}>
      {index > 0 && <span className="text-ink-faint"> · </span>}
      <AttachmentLink attachment={attachment} />
    </span>
  ));
}
