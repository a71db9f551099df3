import { Link } from '@tanstack/react-router';
import { Pencil, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useItemActions } from '../../api/datasets.ts';
import type { DatasetItem } from '../../api/service.ts';
import { ValueView } from '../../content/value-view.tsx';
import { Button, IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Moment } from '../../design/figures.tsx';
import { Empty, Skeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { isEmpty } from './item-columns.tsx';
import type { NumberedItem } from './item-columns.tsx';
import { ItemDialog } from './item-dialog.tsx';
import { SidePanel } from '../../design/side-panel.tsx';

interface ItemPanelProps {
  datasetId: string;
  /** Null until the item is loaded. */
  numbered: NumberedItem | null;
  /** More pages are being loaded. */
  searching: boolean;
  onClose(): void;
}

/** The details of one item. */
export function ItemPanel({ datasetId, numbered, searching, onClose }: ItemPanelProps): ReactNode {
  const { can } = useProject();
  return (
    <SidePanel
      onClose={onClose}
      label="Item"
      title={numbered ? `Item ${numbered.number}` : 'Item'}
      actions={
        <>
          {numbered && can('datasets:manage') && <ItemButtons datasetId={datasetId} item={numbered.item} onDeleted={onClose} />}
          <IconButton label="Close item" onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        </>
      }
    >
      {numbered ? (
        <ItemContent item={numbered.item} />
      ) : searching ? (
        <Skeleton className="h-40" />
      ) : (
        <Empty title="Item not found">It may have been deleted.</Empty>
      )}
    </SidePanel>
  );
}

function ItemButtons({ datasetId, item, onDeleted }: { datasetId: string; item: DatasetItem; onDeleted(): void }): ReactNode {
  const { projectId } = useProject();
  const { remove } = useItemActions(projectId, datasetId);
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null);
  const say = useToast();
  return (
    <>
      <Button size="small" onClick={() => setAsked('edit')}>
        <Pencil aria-hidden />
        Edit
      </Button>
      <IconButton label="Delete item" onClick={() => setAsked('delete')}>
        <Trash2 aria-hidden />
      </IconButton>
      {asked === 'edit' && <ItemDialog datasetId={datasetId} item={item} onClose={() => setAsked(null)} />}
      <Confirm
        open={asked === 'delete'}
        onOpenChange={() => setAsked(null)}
        title="Delete item?"
        description="Results of this item are deleted and removed from run metrics. This can't be undone."
        action="Delete"
        busy={remove.isPending}
        error={remove.error?.message ?? null}
        onConfirm={() =>
          remove.mutate(item.id, {
            onSuccess: () => {
              say('Item deleted');
              onDeleted();
            },
          })
        }
      />
    </>
  );
}

function ItemContent({ item }: { item: DatasetItem }): ReactNode {
  const { at } = useProject();
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 text-ink-faint">
        <span>
          Added <Moment iso={item.createdAt} />
        </span>
        {item.updatedAt !== item.createdAt && (
          <span>
            Updated <Moment iso={item.updatedAt} />
          </span>
        )}
        {item.source && (
          <Link
            {...pages.trace(at, item.source.traceId)}
            search={{ span: item.source.spanId }}
            className="inline-flex min-w-0 gap-1 text-accent hover:underline"
          >
            <span className="shrink-0">Source trace</span> <VisibleLine text={item.source.traceId} />
          </Link>
        )}
      </p>
      <ValueView title="Input" value={item.input} />
      {item.expectedOutput === undefined ? (
        <NoValue title="Expected output">Not set</NoValue>
      ) : (
        <ValueView title="Expected output" value={item.expectedOutput} />
      )}
      {!isEmpty(item.metadata) && <ValueView title="Metadata" value={item.metadata} />}
    </>
  );
}

function NoValue({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-xs font-semibold text-ink-soft">{title}</h3>
      <p className="text-ink-faint">{children}</p>
    </section>
  );
}
