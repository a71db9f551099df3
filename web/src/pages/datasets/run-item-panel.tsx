import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DatasetRunItem } from '../../api/parts.ts';
import { ValueView } from '../../content/value-view.tsx';
import { IconButton } from '../../design/button.tsx';
import { Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { NumberedItem } from './item-columns.tsx';
import { Latency } from './run-columns.tsx';
import { RunError, RunScores } from '../../content/run-scores.tsx';
import { SidePanel } from '../../design/side-panel.tsx';

interface RunItemPanelProps {
  item: DatasetRunItem;
  /** The dataset item; null while loading. */
  source: NumberedItem | null;
  onClose(): void;
}

/** The result of one item in a run. */
export function RunItemPanel({ item, source, onClose }: RunItemPanelProps): ReactNode {
  const { at } = useProject();
  return (
    <SidePanel
      onClose={onClose}
      label="Run item"
      title={source ? `Item ${source.number}` : 'Item'}
      actions={
        <IconButton label="Close item" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      }
    >
      <RunError error={item.error} />
      <p className="flex flex-wrap items-center gap-x-4 text-ink-soft">
        <Latency ms={item.latencyMs} />
        {item.costUsd !== null && <Usd value={item.costUsd} unpriced={item.unpricedCalls} partly={item.partlyPricedCalls} />}
        {item.traceId !== null && (
          <Link {...pages.trace(at, item.traceId)} className="inline-flex min-w-0 gap-1 text-accent hover:underline">
            <span className="shrink-0">Trace</span> <VisibleLine text={item.traceId} />
          </Link>
        )}
      </p>
      <RunScores scores={item.scores} />
      <ValueView title="Output" value={item.output} />
      {source?.item.expectedOutput !== undefined && <ValueView title="Expected output" value={source.item.expectedOutput} />}
      {source && <ValueView title="Input" value={source.item.input} />}
    </SidePanel>
  );
}
