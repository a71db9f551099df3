import { Download, Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Dataset } from '../../api/service.ts';
import { Button, buttonClass } from '../../design/button.tsx';
import { useProject } from '../../frame/project-context.ts';
import { urlTo } from '../../api/operations.ts';
import { ImportDialog } from './import-dialog.tsx';
import { ItemDialog } from './item-dialog.tsx';

/** Export, import and adding of items. */
export function ItemActions({ dataset }: { dataset: Dataset }): ReactNode {
  const { projectId, can } = useProject();
  const [asked, setAsked] = useState<'add' | 'import' | null>(null);
  return (
    <div className="flex flex-wrap items-center gap-1.5 py-1 pr-2">
      {dataset.itemCount > 0 &&
        (['jsonl', 'csv'] as const).map((format) => (
          <a
            key={format}
            href={urlTo('/v1/datasets/{datasetId}/export', { datasetId: dataset.id, projectId, format })}
            download
            className={buttonClass('quiet', 'small')}
          >
            <Download aria-hidden />
            Export {format.toUpperCase()}
          </a>
        ))}
      {can('datasets:manage') && (
        <>
          <Button size="small" onClick={() => setAsked('import')}>
            <Upload aria-hidden />
            Import
          </Button>
          <Button size="small" look="primary" onClick={() => setAsked('add')}>
            <Plus aria-hidden />
            Add item
          </Button>
        </>
      )}
      {asked === 'add' && <ItemDialog datasetId={dataset.id} onClose={() => setAsked(null)} />}
      {asked === 'import' && <ImportDialog datasetId={dataset.id} onClose={() => setAsked(null)} />}
    </div>
  );
}
