import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { importPreviewQuery, useItemActions } from '../../api/datasets.ts';
import { Button } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { Dialog } from '../../design/dialog.tsx';
import { Input } from '../../design/field.tsx';
import { Skeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { countedExactly, formatBytes } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { ImportError } from './import-error.tsx';
import { columnsOf, columnsParameter, guessedMapping } from './import-mapping.ts';
import type { ImportMapping } from './import-mapping.ts';
import { ColumnFields, PreviewTable } from './import-preview.tsx';
import { maxImportBytes } from '../../../../src/contract/limits.ts';

function typeOf(file: File): 'text/csv' | 'application/x-ndjson' {
  return /\.(csv|tsv)$/i.test(file.name) ? 'text/csv' : 'application/x-ndjson';
}

/** Imports items from a file, with a preview. An error shows the line that it refers to. */
export function ImportDialog({ datasetId, onClose }: { datasetId: string; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const { importFile } = useItemActions(projectId, datasetId);
  const say = useToast();
  const [{ file, number }, setFile] = useState<{ file: File | null; number: number }>({ file: null, number: 0 });
  const [chosen, setChosen] = useState<ImportMapping | null>(null);
  const tooLarge = file !== null && file.size > maxImportBytes;
  const content = file === null || tooLarge ? null : { text: file, type: typeOf(file) };
  const first = useQuery(importPreviewQuery(projectId, datasetId, content, number));
  // A file without the usual names of columns is refused with its columns: the viewer says what they are.
  const header = first.error instanceof ApiError ? columnsOf(first.error) : null;
  const mapping = header === null || header.length === 0 ? null : (chosen ?? guessedMapping(header));
  const columns = mapping === null || header === null ? undefined : columnsParameter(mapping, header);
  const mapped = useQuery({
    ...importPreviewQuery(projectId, datasetId, content && columns !== undefined ? { ...content, columns } : null, number),
    // The preview of this file by the columns before.
    placeholderData: (data, query) => (query?.queryKey[3] === number ? data : undefined),
  });
  const preview = columns === undefined ? first : mapped;
  const chooseFile = (next: File | null) => {
    importFile.reset();
    setFile({ file: next, number: number + 1 });
    setChosen(null);
  };
  const choose = (next: ImportMapping) => {
    importFile.reset();
    setChosen(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file === null || tooLarge) return;
    importFile.mutate(
      { text: file, type: typeOf(file), columns },
      {
        onSuccess: ({ imported, updated = 0 }) => {
          onClose();
          say(`${countedExactly(imported, 'item')} imported${updated > 0 ? `, ${updated} of them updated` : ''}`);
        },
      },
    );
  };
  const error = importFile.error ?? preview.error;
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title="Import items"
      description="If a line is invalid, no items are imported."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            form="import-form"
            busy={importFile.isPending}
            disabled={file === null || tooLarge || preview.isFetching}
          >
            Import
          </Button>
        </>
      }
    >
      <form id="import-form" onSubmit={submit} className="flex flex-col gap-3">
        <Input
          label="File (.jsonl, .ndjson or .csv)"
          type="file"
          accept=".jsonl,.ndjson,.csv,.tsv,application/x-ndjson,text/csv"
          className="[&_input]:h-auto [&_input]:py-1.5"
          onChange={(event) => chooseFile(event.target.files?.[0] ?? null)}
          error={tooLarge ? `The file is ${formatBytes(file.size)}. The maximum is 64 MiB. Split the file.` : null}
        />
        {mapping !== null && header !== null && <ColumnFields columns={header} mapping={mapping} onMapping={choose} />}
        {file === null ? (
          <FileForms />
        ) : preview.data && error === null ? (
          <div className={classNames(preview.isFetching && 'opacity-60')} aria-busy={preview.isFetching}>
            <PreviewTable preview={preview.data} />
          </div>
        ) : (
          preview.isFetching && <Skeleton className="h-20" />
        )}
        {error && <ImportError error={error instanceof ApiError ? error : null} file={file} message={error.message} />}
      </form>
    </Dialog>
  );
}

/** What a file may look like. */
function FileForms(): ReactNode {
  return (
    <dl className="flex flex-col gap-1.5 text-ink-soft">
      <dt className="font-medium text-ink">JSONL</dt>
      <dd>
        One object per line: <code className="font-mono text-xs">{'{"input": …, "expectedOutput": …, "metadata": {…}}'}</code>;{' '}
        <code className="font-mono text-xs">input</code> is required.
      </dd>
      <dt className="font-medium text-ink">CSV</dt>
      <dd>
        A header line with any names, then one row for each item; commas, semicolons or tabs. Cells with valid JSON are imported
        as JSON, others as text.
      </dd>
    </dl>
  );
}
