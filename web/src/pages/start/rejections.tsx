import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ingestHealthQuery } from '../../api/ingest-health.ts';
import { Card } from '../../design/card.tsx';
import { Count, Moment } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';

/** The id of the section, for links. */
export const rejectionsId = 'rejections';

/** Why events of the last hour were rejected; nothing if none were. */
export function Rejections(): ReactNode {
  const { projectId } = useProject();
  const { data } = useQuery(ingestHealthQuery(projectId));
  if (!data || data.latestRejections.length === 0) return null;
  return (
    <div id={rejectionsId} tabIndex={-1} className="scroll-mt-16 outline-none">
      <Card title="Rejected in the last hour">
        <PlainTable
          label="Rejected in the last hour"
          head={['Reason', 'Events', 'Latest']}
          rows={data.latestRejections.map(({ at, code, error, count }) => ({
            key: `${code} ${error}`,
            cells: [
              <span key="e" className="block whitespace-normal">
                <Visible text={error} /> <code className="font-mono text-xs text-ink-faint">{code}</code>
              </span>,
              <Count key="c" value={count} />,
              <Moment key="m" ago iso={at} />,
            ],
          }))}
        />
      </Card>
    </div>
  );
}
