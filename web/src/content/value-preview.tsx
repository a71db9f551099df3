import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { Absent } from '../design/figures.tsx';
import { VisibleLine } from '../design/visible.tsx';
import { jsonBeginning } from './json-beginning.ts';
import { previewOf } from './preview.ts';

const readLength = 2_000;
const maxShown = 300;

/** A one-line preview of a value. For a conversation, its last text. */
export function ValuePreview({ value, className }: { value: unknown; className?: string }): ReactNode {
  const text = useMemo(() => previewOf(jsonBeginning(value, readLength)).slice(0, maxShown), [value]);
  return <Line text={text} {...(className === undefined ? {} : { className })} />;
}

/** A one-line preview of the beginning of a JSON text, as the service cuts it. @param why there is none, where `json` is null */
export function TextPreview({ json, why }: { json: string | null; why: string }): ReactNode {
  return json === null ? <Absent why={why} /> : <Line text={previewOf(json)} className="text-ink-soft" />;
}

function Line({ text, className }: { text: string; className?: string }): ReactNode {
  return text === '' ? (
    <span className="text-ink-faint" title="Empty string">
      “”
    </span>
  ) : (
    <VisibleLine text={text} {...(className === undefined ? {} : { className })} />
  );
}
