import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { datasetItemQuery } from '../../api/datasets.ts';
import type { BatchItem, BatchRun } from '../../api/service.ts';
import { ResultFigures, ResultSides } from '../../content/result-sides.tsx';
import { RunError, RunScores } from '../../content/run-scores.tsx';
import { ValueView } from '../../content/value-view.tsx';
import { IconButton } from '../../design/button.tsx';
import { SidePanel } from '../../design/side-panel.tsx';
import { Skeleton } from '../../design/states.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { Changes, itemName } from './item-columns.tsx';
import { ItemStatus } from './run-status.tsx';

interface BatchItemPanelProps {
  run: BatchRun;
  item: BatchItem;
  /** The items before and after it in the list, as far as loaded. */
  previous: BatchItem | undefined;
  next: BatchItem | undefined;
  /** Opens an item; null closes the panel. */
  onOpen(item: BatchItem | null): void;
}

/** One item of a batch run, beside the baseline's where there is one. `j` and `k` open the next and the previous one. */
export function BatchItemPanel({ run, item, previous, next, onOpen }: BatchItemPanelProps): ReactNode {
  const { at } = useProject();
  const open = (other: BatchItem | undefined) => () => {
    if (other) onOpen(other);
  };
  usePageKeys({ j: open(next), k: open(previous) });
  const { baseline } = item;
  return (
    <SidePanel
      label="Item"
      wide={baseline !== undefined}
      title={
        <span className="flex items-center gap-2">
          <Link {...pages.dataset(at, run.datasetId)} search={{ item: item.datasetItemId }} className="font-mono hover:underline">
            {itemName(item, run)}
          </Link>
          <ItemStatus status={item.status} />
          {item.changes && <Changes changes={item.changes} />}
        </span>
      }
      actions={
        <>
          <IconButton label="Previous item (k)" disabled={!previous} onClick={open(previous)}>
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton label="Next item (j)" disabled={!next} onClick={open(next)}>
            <ChevronDown aria-hidden />
          </IconButton>
          <IconButton label="Close item" onClick={() => onOpen(null)}>
            <X aria-hidden />
          </IconButton>
        </>
      }
      onClose={() => onOpen(null)}
    >
      {baseline === undefined ? (
        <>
          <ResultFigures at={at} result={{ ...item, output: item.output }}>
            <Reference {...item} />
          </ResultFigures>
          <RunError error={item.error} />
          <RunScores scores={item.scores} />
          {item.error === null && <ValueView title="Output" value={item.output ?? null} />}
        </>
      ) : (
        <ResultSides
          at={at}
          baseline={baseline && { ...baseline, output: baseline.output ?? null }}
          candidate={{ ...item, output: item.output ?? null }}
          notes={{
            baseline: baseline && <Verdict {...baseline} />,
            candidate: <Verdict {...item} />,
          }}
        />
      )}
      <Contents run={run} item={item} />
    </SidePanel>
  );
}

type Judged = Pick<BatchItem, 'status' | 'referenceMatch'>;

function Verdict({ status, referenceMatch }: Judged): ReactNode {
  return (
    <>
      <ItemStatus status={status} />
      <Reference referenceMatch={referenceMatch} />
    </>
  );
}

/** Whether the output matched the expected one. */
function Reference({ referenceMatch }: Pick<Judged, 'referenceMatch'>): ReactNode {
  if (referenceMatch === null) return null;
  return <span className="text-ink-faint">{referenceMatch ? 'matches the reference' : 'differs from the reference'}</span>;
}

/** Input and expected output, as the dataset has them now. */
function Contents({ run, item }: Pick<BatchItemPanelProps, 'run' | 'item'>): ReactNode {
  const { projectId } = useProject();
  const { data, error } = useQuery(datasetItemQuery(projectId, run.datasetId, item.datasetItemId));
  if (error) return <p className="text-ink-faint">The item was deleted from the dataset; its trace shows the input.</p>;
  if (!data) return <Skeleton className="h-24" />;
  return (
    <>
      {data.expectedOutput !== undefined && <ValueView title="Expected output" value={data.expectedOutput} />}
      <ValueView title="Input" value={data.input} />
      {data.updatedAt > run.createdAt && (
        <p className="text-xs text-ink-faint">The item was changed after the run had started; its trace shows what was sent.</p>
      )}
    </>
  );
}
