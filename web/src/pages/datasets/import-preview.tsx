import type { ReactNode } from 'react';
import type { ImportPreview } from '../../api/service.ts';
import { Select } from '../../design/field.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Switch } from '../../design/switch.tsx';
import { Visible } from '../../design/visible.tsx';
import { jsonLine } from '../../format/deep-json.ts';
import type { ImportMapping } from './import-mapping.ts';

/** Chooses which column of a file becomes which part of an item. */
export function ColumnFields({
  columns,
  mapping,
  onMapping,
}: {
  columns: readonly string[];
  mapping: ImportMapping;
  onMapping(mapping: ImportMapping): void;
}): ReactNode {
  const named = columns.filter((name) => name !== '').map((name) => ({ value: name, label: name }));
  const optional = [{ value: '', label: 'None' }, ...named];
  const field = (part: 'input' | 'expectedOutput' | 'externalId', label: string) => (
    <Select
      label={label}
      value={mapping[part]}
      options={part === 'input' ? named : optional}
      onValue={(value) => onMapping({ ...mapping, [part]: value })}
    />
  );
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
      {field('input', 'Input')}
      {field('expectedOutput', 'Expected output')}
      {field('externalId', 'ID (updates on the next import)')}
      <Switch
        label="Keep other columns as metadata"
        checked={mapping.otherColumns}
        onChange={(otherColumns) => onMapping({ ...mapping, otherColumns })}
      />
    </div>
  );
}

const encodings = { 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16', 'utf-16be': 'UTF-16', 'windows-1252': 'Windows-1252' } as const;
const delimiters: Readonly<Record<string, string>> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' };

/** The first rows of a file as items. */
export function PreviewTable({ preview: { items, encoding, delimiter } }: { preview: ImportPreview }): ReactNode {
  const text = (value: unknown) =>
    value === undefined ? '–' : <Visible text={typeof value === 'string' ? value : jsonLine(value)} />;
  return (
    <section className="flex flex-col gap-1">
      <p className="text-xs text-ink-faint">
        First rows as items · {encodings[encoding]}
        {delimiter !== null && `, ${delimiters[delimiter] ?? delimiter}`}
      </p>
      <div className="max-h-60 overflow-auto rounded-md border border-line">
        <PlainTable
          label="First rows as items"
          texts
          head={['Row', 'Input', 'Expected output', 'Metadata', 'ID']}
          rows={items.map(({ input, expectedOutput, metadata, externalId }, index) => ({
            key: String(index),
            cells: [index + 1, text(input), text(expectedOutput), text(metadata), text(externalId)],
          }))}
        />
      </div>
    </section>
  );
}
