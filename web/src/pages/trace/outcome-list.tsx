import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Outcome } from '../../api/service.ts';
import { moreElements, ShowMore } from '../../content/show-more.tsx';
import { Badge } from '../../design/badge.tsx';
import { Money, Moment } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';

const step = 20;

/** What a trace led to; nothing without outcomes. */
export function OutcomeList({ outcomes }: { outcomes: readonly Outcome[] }): ReactNode {
  const [shown, setShown] = useState(step);
  if (outcomes.length === 0) return null;
  const left = outcomes.length - shown;
  return (
    <section aria-label="Outcomes">
      <h3 className="mb-1 text-xs font-semibold text-ink-soft">Outcomes</h3>
      <ul aria-label="Outcomes" className="flex flex-col gap-1">
        {outcomes.slice(0, shown).map((outcome) => (
          <li key={outcome.outcomeId} className="rounded-md border border-line px-2.5 py-1.5">
            <Entry outcome={outcome} />
          </li>
        ))}
      </ul>
      {left > 0 && <ShowMore label={moreElements(left, step, 'outcomes')} onMore={() => setShown(shown + step)} />}
    </section>
  );
}

function Entry({ outcome: { kind, success, value, currency, occurredAt, metadata } }: { outcome: Outcome }): ReactNode {
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <span className="min-w-0 font-medium">
          <VisibleLine text={kind} />
        </span>
        {success !== null && <Badge tone={success ? 'good' : 'bad'}>{success ? 'success' : 'failure'}</Badge>}
        {value !== null && <Money value={value} currency={currency} />}
        <span className="ml-auto text-2xs text-ink-faint">
          <Moment iso={occurredAt} />
        </span>
      </div>
      {metadata !== null && (
        <p className="font-mono text-xs text-ink-soft">
          <VisibleLine text={JSON.stringify(metadata)} />
        </p>
      )}
    </>
  );
}
