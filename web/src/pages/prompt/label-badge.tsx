import type { ReactNode } from 'react';
import { Badge } from '../../design/badge.tsx';
import { Visible } from '../../design/visible.tsx';
import { defaultLabel } from './label-move.ts';

/** The labels of a version as badges. */
export function LabelBadges({ labels }: { labels: readonly string[] }): ReactNode {
  return labels.map((label) => (
    <Badge key={label} tone={label === defaultLabel ? 'good' : label === 'latest' ? 'neutral' : 'accent'}>
      <Visible text={label} />
    </Badge>
  ));
}

/** Marks a fix proposal, which `latest` passes by until someone labels it. */
export function ProposalBadge(): ReactNode {
  return <Badge tone="warn">proposal</Badge>;
}
