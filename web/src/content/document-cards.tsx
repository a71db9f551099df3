import { FileText } from 'lucide-react';
import { use, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { CopyButton } from '../design/copy.tsx';
import { VisibleLine } from '../design/visible.tsx';
import { formatExact } from '../format/number-format.ts';
import { FindQuery, hasText } from './find-query.ts';
import { InlineJson } from './json-view.tsx';
import { LongText } from './long-text.tsx';
import type { FoundDocument } from './read-documents.ts';
import { moreElements, ShowMore } from './show-more.tsx';

const firstShown = 10;
const step = 50;

/** Retrieved documents, each with its score, in the order of the result. */
export function DocumentCards({ documents }: { documents: readonly FoundDocument[] }): ReactNode {
  const [wanted, setShown] = useState(firstShown);
  const query = use(FindQuery);
  const lastFound = useMemo(() => documents.findLastIndex(({ text }) => hasText(text, query)), [documents, query]);
  const shown = Math.max(wanted, lastFound + 1);
  const left = documents.length - shown;
  return (
    <div>
      <ol className="flex flex-col gap-2">
        {documents.slice(0, shown).map((document, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- documents of a stored result never move
          <Card key={index} document={document} number={index + 1} />
        ))}
      </ol>
      {left > 0 && <ShowMore label={moreElements(left, step, 'documents')} onMore={() => setShown(shown + step)} />}
    </div>
  );
}

function Card({ document, number }: { document: FoundDocument; number: number }): ReactNode {
  const [withMetadata, setWithMetadata] = useState(false);
  const { id, title, text, score, metadata } = document;
  const keys = Object.keys(metadata).length;
  return (
    <li className="min-w-0 rounded-md border border-line bg-surface">
      <div className="flex min-w-0 items-center gap-1.5 border-b border-line bg-sunken py-0.5 pr-1 pl-2.5 text-xs text-ink-soft">
        <FileText className="size-3.5 shrink-0" aria-hidden />
        <span className="numbers shrink-0 text-ink-faint">{number}</span>
        <VisibleLine text={title ?? id ?? 'Document'} className="min-w-0 flex-1 font-medium" />
        {score !== null && (
          <span className="numbers shrink-0" title={String(score)}>
            Score {formatExact(Number(score.toPrecision(4)))}
          </span>
        )}
        <CopyButton label="Copy document" text={text} />
      </div>
      <div className="px-2.5 py-2">
        <Shortened text={text} />
        {keys > 0 && (
          <ShowMore label={withMetadata ? 'Hide metadata' : 'Show metadata'} onMore={() => setWithMetadata(!withMetadata)} />
        )}
        {withMetadata && <InlineJson label="Metadata" value={metadata} />}
      </div>
    </li>
  );
}

const firstCharacters = 400;

/** The beginning of a document, all of it on request. */
function Shortened({ text }: { text: string }): ReactNode {
  const [opened, setOpened] = useState(false);
  const isFound = hasText(text, use(FindQuery));
  if (opened || isFound || text.length <= firstCharacters) return <LongText text={text} />;
  return (
    <>
      <LongText text={`${text.slice(0, firstCharacters)}…`} />
      <ShowMore label="Show whole document" onMore={() => setOpened(true)} />
    </>
  );
}
