import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { deferred } from '../design/deferred.tsx';
import { Skeleton } from '../design/states.tsx';
import { formatBytes } from '../format/number-format.ts';
import type { FindText } from './find-text.ts';
import { jsonSize } from './json-size.ts';
import { ColouredCode } from './coloured-code.tsx';
import { shownJson, withParsedTexts } from './embedded-json.ts';
import { jsonText } from './json-text.ts';
import { LongText } from './long-text.tsx';

const CodeView = deferred(() => import('./code-view.tsx'), <Skeleton className="h-20" />);

interface JsonViewProps {
  label: string;
  value: unknown;
  find?: FindText | null;
}

/**
 * A value as indented JSON with folding and search.
 *
 * @param exact as it is stored; else JSON within texts is shown as JSON, and each vector on one line
 */
export function JsonView({ label, value, find = null, exact = true }: JsonViewProps & { exact?: boolean }): ReactNode {
  const text = useMemo(() => (exact ? jsonText(value) : shownJson(withParsedTexts(value))), [value, exact]);
  return <CodeView label={label} text={text} find={find} />;
}

/** Sizes are counted up to this many characters. */
export const maxCounted = 10_000_000;

/** Stands for a large value until the viewer asks for it. @param size approximate length of its JSON, see jsonSize */
export function LargePayload({ size, onShow }: { size: number; onShow(): void }): ReactNode {
  return (
    <div className="flex items-center gap-3 rounded-md border border-line bg-sunken px-3 py-2">
      <span className="text-ink-soft">
        Large payload ({size >= maxCounted ? 'over ' : ''}
        {formatBytes(Math.min(size, maxCounted))})
      </span>
      <Button onClick={onShow}>Show</Button>
    </div>
  );
}

/** Longer JSON is serialized on request only, characters. */
const maxInline = 100_000;

/** JSON inside a conversation, such as the arguments of a tool call. */
export function InlineJson({ label, value }: { label: string; value: unknown }): ReactNode {
  const [opened, setOpened] = useState(false);
  const large = useMemo(() => jsonSize(value, maxInline) >= maxInline, [value]);
  if (large && opened) return <JsonView label={label} value={value} />;
  if (large) return <LargePayload size={jsonSize(value, maxCounted)} onShow={() => setOpened(true)} />;
  return <ShortJson value={value} />;
}

/** Longer JSON has no colours, characters. */
const maxColoured = 2_000;

function ShortJson({ value }: { value: unknown }): ReactNode {
  const text = useMemo(() => shownJson(withParsedTexts(value)), [value]);
  if (text.length > maxColoured) return <LongText mono text={text} />;
  return (
    <div className="font-mono text-xs leading-5 break-words whitespace-pre-wrap [unicode-bidi:isolate]" dir="auto">
      <ColouredCode code={text} language="json" />
    </div>
  );
}
