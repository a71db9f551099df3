import type { ReactNode } from 'react';
import type { AlertType } from '../../api/parts.ts';
import type { AlertPreview } from '../../api/service.ts';
import { alertTypes } from '../../content/alert-words.ts';
import { Card } from '../../design/card.tsx';
import { classNames } from '../../design/class-names.ts';
import { Figure, Moment } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Sparkline } from '../../design/sparkline.tsx';
import { Visible } from '../../design/visible.tsx';
import { firedByDay, previewSentence } from './preview-figures.ts';

/** The state of a preview that follows the form. */
export interface LivePreview {
  /** The newest, which may be of earlier values; undefined before the first. */
  preview: AlertPreview | undefined;
  /** Newer values are being evaluated. */
  isRunning: boolean;
  /** What a field does not say; null without one. */
  problem: string | null;
  /** There is nothing to evaluate yet. */
  isEmpty: boolean;
}

const maxListed = 50;

/** When the rule of the form would have fired. */
export function PreviewCard({ type, live }: { type: AlertType; live: LivePreview }): ReactNode {
  const { preview, isRunning, problem, isEmpty } = live;
  return (
    <Card title="Preview" aside={isRunning && <span className="text-xs text-ink-faint">Evaluating…</span>}>
      <div className="flex min-h-24 flex-col gap-2 p-3" aria-busy={isRunning} aria-live="polite">
        {!alertTypes[type].isEvaluated ? (
          <p className="text-ink-soft">Notifies the channels when a finding of the page Model lifecycle is raised.</p>
        ) : isEmpty ? (
          <p className="text-ink-faint">Set a threshold to see when the rule would have fired.</p>
        ) : problem !== null ? (
          <p className="text-bad">{problem}</p>
        ) : preview === undefined ? (
          <p className="text-ink-faint">Evaluating the last 30 days…</p>
        ) : (
          <Fired type={type} preview={preview} isOld={isRunning} />
        )}
      </div>
    </Card>
  );
}

function Fired({ type, preview, isOld }: { type: AlertType; preview: AlertPreview; isOld: boolean }): ReactNode {
  const sentence = previewSentence(preview);
  const { format } = alertTypes[type];
  const listed = preview.wouldHaveFired.slice(-maxListed).toReversed();
  return (
    <div className={classNames('flex flex-col gap-2', isOld && 'opacity-60')}>
      <p className="font-medium">{sentence}</p>
      {listed.length > 0 && (
        <>
          <Sparkline values={firedByDay(preview)} label={`By day. ${sentence}`} />
          <PlainTable
            label="Would have fired"
            head={['From', 'Until', 'Value', 'Scope']}
            rows={listed.map(({ at, resolvedAt, scope, value }) => ({
              key: `${at} ${scope ?? ''}`,
              cells: [
                <Moment key="a" iso={at} />,
                resolvedAt === null ? 'still firing' : <Moment key="r" iso={resolvedAt} />,
                value === null ? 'no data' : <Figure key="v" value={value} format={format} />,
                scope === null ? '–' : <Visible key="s" text={scope} />,
              ],
            }))}
          />
          {preview.wouldHaveFired.length > maxListed && (
            <p className="text-xs text-ink-faint">The latest {maxListed} are listed.</p>
          )}
        </>
      )}
      <p className="text-xs text-ink-faint">Evaluated at hourly steps. Shorter spikes between them are not included.</p>
    </div>
  );
}
