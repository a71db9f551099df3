import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { VisibleLine } from '../design/visible.tsx';
import { jsonBeginning } from './json-beginning.ts';
import { previewOf } from './preview.ts';

const readLength = 2_000;
const maxShown = 300;

/** A one-line preview of a value. For a conversation, its last text. */
export function ValuePreview({ value, className }: { value: unknown; className?: string }): ReactNode {
  const text = useMemo(() => previewOf(jsonBeginning(value, readLength)).slice(0, maxShown), [value]);
  return text === '' ? (
    <span className="text-ink-faint" title="Empty string">
      “”
    </span>
  ) : (
    <VisibleLine text={text} {...(className === undefined ? {} : { className })} />
  );
}
