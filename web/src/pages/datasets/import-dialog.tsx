import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { useItemActions } from '../../api/datasets.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { countedExactly, formatBytes } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { ImportError } from './import-error.tsx';

const maxBytes = 64 * 1_048_576;

function typeOf(file: File): 'text/csv' | 'application/x-ndjson' {
  return /\.csv$/i.test(file.name) ? 'text/csv' : 'application/x-ndjson';
}

/** Imports items from a file. An error shows the line that it refers to. */
export function ImportDialog({ datasetId, onClose }: { datasetId: string; onClose(): void }): ReactNode {
  const { projectId } = useProject();
  const { importFile } = useItemActions(projectId, datasetId);
  const say = useToast();
  const [file, setFile] = useState<File | null>(null);
  const tooLarge = file !== null && file.size > maxBytes;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file === null || tooLarge) return;
    importFile.mutate(
      { text: file, type: typeOf(file) },
      {
        onSuccess: ({ imported }) => {
          onClose();
          say(`${countedExactly(imported, 'item')} imported`);
        },
      },
    );
  };
  const { error } = importFile;
  return (
    <Dialog
      open
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
            disabled={file === null || tooLarge}
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
          accept=".jsonl,.ndjson,.csv,application/x-ndjson,text/csv"
          className="[&_input]:h-auto [&_input]:py-1.5"
          onChange={(event) => {
            importFile.reset();
            setFile(event.target.files?.[0] ?? null);
          }}
          error={tooLarge ? `The file is ${formatBytes(file.size)}. The maximum is 64 MiB. Split the file.` : null}
        />
        <dl className="flex flex-col gap-1.5 text-ink-soft">
          <dt className="font-medium text-ink">JSONL</dt>
          <dd>
            One object per line: <code className="font-mono text-xs">{'{"input": …, "expectedOutput": …, "metadata": {…}}'}</code>
            ; <code className="font-mono text-xs">input</code> is required.
          </dd>
          <dt className="font-medium text-ink">CSV</dt>
          <dd>
            Header line: <code className="font-mono text-xs">input,expectedOutput,metadata</code>. Cells with valid JSON are
            imported as JSON, others as text.
          </dd>
        </dl>
        {error && <ImportError error={error instanceof ApiError ? error : null} file={file} message={error.message} />}
      </form>
    </Dialog>
  );
}
