import { Link } from '@tanstack/react-router';
import type { Incident } from '../../api/service.ts';
import { alertTypes, incidentTitle, openMs, statusTones } from '../../content/alert-words.ts';
import { Badge } from '../../design/badge.tsx';
import type { Column } from '../../design/column.ts';
import { Absent, Duration, Figure, Moment } from '../../design/figures.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { momentWidth } from '../../design/moment-width.ts';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';

/** The columns of the list of incidents. @param nowMs until when an open one has lasted, epoch milliseconds */
export function incidentColumns(at: ProjectPath, nowMs: number): ReadonlyArray<Column<Incident>> {
  return [
    {
      id: 'incident',
      title: 'Incident',
      width: 170,
      scrolledWidth: 320,
      grow: true,
      cell: (incident) => (
        <Link {...pages.incident(at, incident.id)} className="flex items-baseline gap-2 hover:text-accent hover:underline">
          <Visible text={incidentTitle(incident)} className="max-w-full shrink-0 truncate font-medium" />
          <Visible text={incident.summary} className="min-w-0 truncate text-xs text-ink-faint" />
        </Link>
      ),
    },
    {
      id: 'status',
      title: 'Status',
      width: 110,
      cell: ({ status }) => <Badge tone={statusTones[status]}>{status}</Badge>,
    },
    { id: 'type', title: 'Type', width: 120, droppable: true, cell: ({ type }) => alertTypes[type].title },
    {
      id: 'environment',
      title: 'Environment',
      width: 110,
      droppable: true,
      cell: ({ environment }) =>
        environment === null ? <Absent why="All environments" text="all" /> : <VisibleLine text={environment} />,
    },
    {
      id: 'peak',
      title: 'Peak',
      hint: 'The worst value',
      width: 84,
      align: 'end',
      cell: ({ type, peakValue }) =>
        peakValue === null ? (
          <Absent why="Opened by lack of data" />
        ) : (
          <Figure value={peakValue} format={alertTypes[type].format} />
        ),
    },
    { id: 'opened', title: 'Opened', width: momentWidth(130), cell: ({ openedAt }) => <Moment iso={openedAt} /> },
    {
      id: 'duration',
      title: 'Duration',
      width: 90,
      align: 'end',
      cell: (incident) => <Duration ms={openMs(incident, nowMs)} />,
    },
  ];
}
