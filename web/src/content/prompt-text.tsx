import { Fragment, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { visiblePart } from '../format/visible-text.ts';
import { promptParts } from './prompt-parts.ts';
import type { PromptReference } from './prompt-parts.ts';
import { moreText, ShowMore } from './show-more.tsx';

const firstCharacters = 20_000;
const moreCharacters = 100_000;

interface PromptTextProps {
  text: string;
  /** Renders a reference; its source text by default. */
  reference?: (reference: PromptReference) => ReactNode;
}

/** The text of a prompt with highlighted variables and references. Long texts are shown in steps. */
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
            // Parts of a stored prompt have no other key and never move.
            // oxlint-disable-next-line react/no-array-index-key
            <Fragment key={index}>
              {part.kind === 'text' ? (
                shownText
              ) : part.kind === 'variable' ? (
                <bdi className="rounded bg-warn-soft text-warn" title="Variable, filled in by the application">
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
      {left > 0 && <ShowMore label={moreText(left, moreCharacters)} onMore={() => setShown(shown + moreCharacters)} />}
    </div>
  );
}
