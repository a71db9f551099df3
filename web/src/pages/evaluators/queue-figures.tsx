import type { ReactNode } from 'react';
import type { EvaluationPage } from '../../api/wire.ts';
import { Stat, Stats } from '../../design/card.tsx';
import { Count } from '../../design/figures.tsx';
import { formatExact } from '../../format/number-format.ts';

/** What waits, and what found the queue full. */
export function QueueFigures({ queue }: { queue: EvaluationPage['queue'] }): ReactNode {
  const crowded = queue.waiting >= queue.limit * 0.9;
  return (
    <div className="border-b border-line px-4 py-2">
      <Stats>
        <Stat
          label="Waiting or running"
          value={<Count value={queue.waiting} />}
          note={queue.waiting === 0 ? 'everything is evaluated' : 'this list follows'}
          {...(crowded ? { tone: 'warn' as const } : {})}
        />
        <Stat label="Room in the queue" value={<Count value={queue.limit} />} note="for what arrives online" />
        <Stat
          label="Left out, last 24 hours"
          value={<Count value={queue.refusedLastDay} />}
          note={
            queue.refusedLastDay === 0
              ? 'nothing found the queue full'
              : `${formatExact(queue.refusedLastDay)} found the queue full; sample less`
          }
          {...(queue.refusedLastDay > 0 ? { tone: 'bad' as const } : {})}
        />
      </Stats>
    </div>
  );
}
