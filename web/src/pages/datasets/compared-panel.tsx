import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { ResultSides } from '../../content/result-sides.tsx';
import { ValueView } from '../../content/value-view.tsx';
import { IconButton } from '../../design/button.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { Delta } from './comparison-columns.tsx';
import type { ComparisonRow } from './comparison-rows.ts';
import type { NumberedItem } from './item-columns.tsx';

interface ComparedPanelProps {
  row: ComparisonRow;
  /** The dataset item; null while loading. */
  source: NumberedItem | null;
  onClose(): void;
}

/** One item in two runs, side by side. */
export function ComparedPanel({ row, source, onClose }: ComparedPanelProps): ReactNode {
  const { at } = useProject();
  usePageKeys({ Escape: onClose });
  const { a, b } = row.compared;
  return (
    <section
      aria-label="Compared item"
      className="flex shrink-0 flex-col border-l border-line bg-surface max-lg:fixed max-lg:inset-0 max-lg:z-30 lg:w-[56%] xl:w-[64%]"
    >
      <header className="flex min-h-10 items-center gap-3 border-b border-line py-1 pr-1.5 pl-3">
        <h2 className="font-semibold">{source ? `Item ${source.number}` : 'Item'}</h2>
        {!row.differs && <span className="text-ink-faint">Unchanged</span>}
        <span className="flex-1" />
        <IconButton label="Close item" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div className="scroll-thin flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
        {source && <ValueView title="Input" value={source.item.input} />}
        {source?.item.expectedOutput !== undefined && <ValueView title="Expected output" value={source.item.expectedOutput} />}
        <ResultSides at={at} baseline={a} candidate={b} notes={{ candidate: <Changes deltas={row.deltas} /> }} />
      </div>
    </section>
  );
}

function Changes({ deltas }: { deltas: ReadonlyMap<string, number> }): ReactNode {
  return [...deltas].map(([evaluator, delta]) => (
    <span key={evaluator} className="whitespace-nowrap">
      <Visible text={evaluator} className="text-ink-faint" /> <Delta value={delta} />
    </span>
  ));
}
