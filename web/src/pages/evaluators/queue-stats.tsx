import type { ReactNode } from 'react';
import type { EvaluationPage } from '../../api/service.ts';
import { Stat, Stats } from '../../design/card.tsx';
import { Count } from '../../design/figures.tsx';

/** The state of the evaluation queue. */
export function QueueStats({ queue }: { queue: EvaluationPage['queue'] }): ReactNode {
  const nearlyFull = queue.waiting >= queue.limit * 0.9;
  return (
    <div className="border-b border-line px-4 py-2">
      <Stats>
        <Stat
          label="Queued or running"
          value={<Count value={queue.waiting} />}
          note={queue.waiting === 0 ? 'queue empty' : 'list updates automatically'}
          {...(nearlyFull ? { tone: 'warn' as const } : {})}
        />
        <Stat label="Queue capacity" value={<Count value={queue.limit} />} note="for live data" />
        <Stat
          label="Skipped, last 24 hours"
          value={<Count value={queue.refusedLastDay} />}
          note={queue.refusedLastDay === 0 ? 'none skipped' : 'queue full; lower the sample rate'}
          {...(queue.refusedLastDay > 0 ? { tone: 'bad' as const } : {})}
        />
      </Stats>
    </div>
  );
}
