import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { VisibleLine } from '../design/visible.tsx';
import { jsonBeginning } from './json-beginning.ts';
import { previewOf } from './preview.ts';

const looksAt = 2_000;
const mostShown = 300;

/** A value in one line: of a conversation, what was said last. */
export function ValuePreview({ value, className }: { value: unknown; className?: string }): ReactNode {
  const text = useMemo(() => previewOf(jsonBeginning(value, looksAt)).slice(0, mostShown), [value]);
  return text === '' ? (
    <span className="text-ink-faint" title="An empty text">
      “”
    </span>
  ) : (
    <VisibleLine text={text} {...(className === undefined ? {} : { className })} />
  );
}
