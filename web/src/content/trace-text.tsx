import type { ReactNode } from 'react';
import type { ListedTrace } from '../api/parts.ts';
import { classNames } from '../design/class-names.ts';
import { VisibleLine } from '../design/visible.tsx';
import { errorLine } from './span-error.ts';
import { TextPreview } from './value-preview.tsx';

/** What a trace was about, in one line: its input, after the error of a failed one. */
export function TraceText({ trace: { error, inputPreview } }: { trace: ListedTrace }): ReactNode {
  const preview = <TextPreview json={inputPreview} why="No text recorded" />;
  const line = error === null ? '' : errorLine({ errorCode: error.code, errorMessage: error.message });
  if (line === '') return preview;
  return (
    <span className="flex gap-2">
      <VisibleLine text={line} className={classNames('min-w-0 text-bad', inputPreview !== null && 'max-w-[70%] shrink-0')} />
      {inputPreview !== null && preview}
    </span>
  );
}
