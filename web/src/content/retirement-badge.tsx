import type { ReactNode } from 'react';
import type { Finding } from '../api/service.ts';
import { Badge } from '../design/badge.tsx';
import { formatUtcDate } from '../format/time-format.ts';
import { bandTones, retirementLabel } from './lifecycle-words.ts';

/** Marks a model that is retired soon. @param short for a row of a table */
export function RetirementBadge({ finding, short = false }: { finding: Finding; short?: boolean }): ReactNode {
  const { band, state, retiresOn, daysRemaining } = finding;
  const isDismissed = state === 'dismissed';
  return (
    <Badge
      tone={isDismissed ? 'neutral' : bandTones[band]}
      title={`Retirement date: ${formatUtcDate(retiresOn)}${isDismissed ? ' · dismissed' : ''}`}
    >
      {short ? shortLabel(daysRemaining) : retirementLabel(finding)}
    </Badge>
  );
}

function shortLabel(daysRemaining: number): string {
  return daysRemaining < 0 ? 'retired' : `retires ${daysRemaining === 0 ? 'today' : `in ${daysRemaining}d`}`;
}
