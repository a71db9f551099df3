import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Incident } from '../../api/service.ts';
import { resolutionText } from '../../content/alert-words.ts';
import { changeTitle } from '../../content/change-words.ts';
import { Badge } from '../../design/badge.tsx';
import { Card } from '../../design/card.tsx';
import { Moment } from '../../design/figures.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { rowLook } from './row-look.ts';
import { historyId } from './incident-chart.tsx';

/** The changes of the 24 hours before the opening. Each leads to the figures before and after it. */
export function ChangesBefore({ incident: { changes } }: { incident: Incident }): ReactNode {
  const { at } = useProject();
  return (
    <Card title="Changes in the 24 hours before">
      {changes.length === 0 ? (
        <p className="px-3 py-3 text-ink-faint">No changes were recorded.</p>
      ) : (
        <ul aria-label="Changes in the 24 hours before" className="scroll-thin max-h-80 overflow-auto">
          {changes.map((change) => (
            <li key={change.id} className={rowLook}>
              <span className="shrink-0 text-xs text-ink-faint">
                <Moment iso={change.at} />
              </span>
              <Link
                {...pages.change(at, change.id)}
                className="min-w-0 flex-1 hover:text-accent hover:underline"
                title="Before and after this change"
              >
                <VisibleLine text={changeTitle(change)} />
              </Link>
              {change.environment !== null && (
                <Badge shrink>
                  <Visible text={change.environment} />
                </Badge>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const eventTitles: Readonly<Record<Incident['events'][number]['kind'], string>> = {
  opened: 'Opened',
  reopened: 'Opened again',
  notified: 'Notification repeated',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
};

/** What happened to the incident, oldest first. */
export function History({ incident: { events, resolution } }: { incident: Incident }): ReactNode {
  return (
    <div id={historyId} className="min-w-0">
      <Card title="History">
        <ol aria-label="History">
          {events.map(({ at, kind, by, note }) => (
            <li key={`${at} ${kind}`} className="flex flex-col gap-0.5 border-t border-line px-3 py-1.5 first:border-t-0">
              <span className="flex flex-wrap items-baseline gap-x-2">
                <span className="text-xs text-ink-faint">
                  <Moment iso={at} />
                </span>
                <span className="font-medium">{eventTitles[kind]}</span>
                {kind === 'resolved' && resolution !== null && (
                  <span className="text-ink-soft">({resolutionText(resolution)})</span>
                )}
                {by !== null && by !== 'system' && (
                  <span className="min-w-0 text-ink-soft">
                    <VisibleLine text={by} />
                  </span>
                )}
              </span>
              {note !== null && note !== '' && (
                <p className="[overflow-wrap:anywhere] whitespace-pre-wrap text-ink-soft">
                  <Visible text={note} />
                </p>
              )}
            </li>
          ))}
        </ol>
      </Card>
    </div>
  );
}
