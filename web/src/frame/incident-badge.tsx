import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { maxOpenCount, openIncidentsQuery } from '../api/incidents.ts';
import { useProject } from './project-context.ts';

/** The number of open incidents; nothing without any. Beyond 9 it is `9+`. */
export function IncidentBadge(): ReactNode {
  const { projectId } = useProject();
  const { data } = useQuery(openIncidentsQuery(projectId));
  const count = data?.incidents.length ?? 0;
  if (count === 0) return null;
  const text = count > maxOpenCount ? `${maxOpenCount}+` : String(count);
  return (
    <span
      className="numbers ml-auto rounded-full bg-bad-soft px-1.5 text-2xs leading-4 font-semibold text-bad"
      title={`${text} open ${count === 1 ? 'incident' : 'incidents'}`}
    >
      {text}
      <span className="sr-only"> open</span>
    </span>
  );
}
