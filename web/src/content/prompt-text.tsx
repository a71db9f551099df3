import { Fragment, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { formatBytes } from '../format/number-format.ts';
import { visiblePart } from '../format/visible-text.ts';
import { promptParts } from './prompt-parts.ts';
import type { PromptReference } from './prompt-parts.ts';

const firstCharacters = 20_000;
const moreCharacters = 100_000;

interface PromptTextProps {
  text: string;
  /** How a reference is shown; as it is written unless given. */
  reference?: (reference: PromptReference) => ReactNode;
}

/** The text of a prompt, in which variables and references stand out. Of a long one the beginning, and more when asked. */
export function PromptText({ text, reference }: PromptTextProps): ReactNode {
  const [shown, setShown] = useState(firstCharacters);
  const left = text.length - shown;
  const parts = useMemo(() => promptParts(left > 0 ? text.slice(0, shown) : text), [text, shown, left]);
  return (
    <div>
      <div dir="auto" className="font-mono text-xs leading-5 [overflow-wrap:anywhere] whitespace-pre-wrap [unicode-bidi:isolate]">
        {text === '' && <span className="text-ink-faint">empty</span>}
        {parts.map((part, index) => {
          const shownText = visiblePart(part.text);
          return (
            // Parts of a stored prompt neither move nor go.
            // oxlint-disable-next-line react/no-array-index-key
            <Fragment key={index}>
              {part.kind === 'text' ? (
                shownText
              ) : part.kind === 'variable' ? (
                <bdi className="rounded bg-warn-soft text-warn" title="A variable: the application fills it in">
                  {shownText}
                </bdi>
              ) : (
                (reference?.(part) ?? <bdi className="rounded bg-accent-soft text-accent">{shownText}</bdi>)
              )}
            </Fragment>
          );
        })}
        {left > 0 && '…'}
      </div>
      {left > 0 && (
        <button
          type="button"
          onClick={() => setShown(shown + moreCharacters)}
          className="mt-1 text-xs font-medium text-accent hover:underline"
        >
          Show {formatBytes(Math.min(left, moreCharacters))} more of {formatBytes(left)}
        </button>
      )}
    </div>
  );
}
