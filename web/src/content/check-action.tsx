import type { ReactNode } from 'react';
import type { CheckAction } from '../api/parts.ts';
import { Badge } from '../design/badge.tsx';
import { actionLabels } from './guardrail-labels.ts';

/** What a guardrail does (`block`), or did to a text (`blocked`). */
export function ActionBadge({ action, done = false }: { action: CheckAction; done?: boolean }): ReactNode {
  const label = actionLabels[action];
  return (
    <Badge tone={label.tone} title={label.hint}>
      {done ? label.done : label.title.toLowerCase()}
    </Badge>
  );
}
