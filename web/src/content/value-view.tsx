import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';
import { CopyButton } from '../design/copy.tsx';
import { deferred } from '../design/deferred.tsx';
import { Skeleton } from '../design/states.tsx';
import { formatBytes } from '../format/number-format.ts';
import { ChatView } from './chat-view.tsx';
import { jsonSize } from './json-size.ts';
import { jsonText } from './json-text.ts';
import { LongText } from './long-text.tsx';
import { readMessages } from './read-messages.ts';

const CodeView = deferred(() => import('./code-view.tsx'), <Skeleton className="h-20" />);

type Form = 'chat' | 'text' | 'json';
const formNames: Readonly<Record<Form, string>> = { chat: 'Chat', text: 'Text', json: 'JSON' };

/** Characters of JSON that are read for messages and laid out without being asked. */
const foldedFrom = 400_000;
const mostCounted = 40_000_000;

/** A text to go to in a value that is shown as JSON. */
export interface FindText {
  text: string;
}

interface ValueViewProps {
  title: string;
  value: unknown;
  /** Shows the value as JSON, unfolded, and goes to a text in it. */
  find?: FindText | null;
}

/** An input or output: as a conversation where it is one, as text, or as JSON. Large values are folded until they are asked for. */
export function ValueView({ title, value, find = null }: ValueViewProps): ReactNode {
  const [opened, setOpened] = useState(false);
  const size = useMemo(() => jsonSize(value, mostCounted), [value]);
  const folded = size > foldedFrom && !opened && find === null;
  return (
    <section className="min-w-0" aria-label={title}>
      {folded ? (
        <>
          <Heading title={title} value={value} />
          <div className="flex items-center gap-3 rounded-md border border-line bg-sunken px-3 py-3">
            <span className="text-ink-soft">
              {size >= mostCounted ? 'More than ' : 'About '}
              {formatBytes(Math.min(size, mostCounted))}, folded to keep this page quick.
            </span>
            <Button onClick={() => setOpened(true)}>Show it</Button>
          </div>
        </>
      ) : (
        <Opened title={title} value={value} find={find} large={size > foldedFrom} />
      )}
    </section>
  );
}

interface HeadingProps {
  title: string;
  value: unknown;
  children?: ReactNode;
}

function Heading({ title, value, children }: HeadingProps): ReactNode {
  return (
    <div className="mb-1 flex h-8 items-center gap-2">
      <h3 className="text-xs font-semibold text-ink-soft">{title}</h3>
      {children}
      <span className="flex-1" />
      <CopyButton label={`Copy: ${title}`} text={() => (typeof value === 'string' ? value : jsonText(value))} />
    </div>
  );
}

function Opened({ title, value, find, large }: Required<ValueViewProps> & { large: boolean }): ReactNode {
  // A conversation of megabytes is shown as JSON, whose viewer lays out what is in sight alone.
  const messages = useMemo(() => (large ? null : readMessages(value)), [value, large]);
  const forms: Form[] = [
    ...(messages === null ? [] : (['chat'] as const)),
    ...(typeof value === 'string' ? (['text'] as const) : []),
    'json',
  ];
  const [chosen, setChosen] = useState<Form | null>(null);
  const first = find === null ? (forms[0] ?? 'json') : 'json';
  const form = chosen !== null && forms.includes(chosen) ? chosen : first;
  return (
    <>
      <Heading title={title} value={value}>
        {forms.length > 1 && (
          <div role="group" aria-label={`${title} as`} className="flex rounded-md border border-line">
            {forms.map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={one === form}
                onClick={() => setChosen(one)}
                className={classNames(
                  'h-6 px-2 text-xs first:rounded-l-md last:rounded-r-md',
                  one === form ? 'bg-sunken font-medium text-ink' : 'text-ink-faint hover:text-ink',
                )}
              >
                {formNames[one]}
              </button>
            ))}
          </div>
        )}
      </Heading>
      {form === 'chat' && messages !== null && <ChatView messages={messages} />}
      {form === 'text' && typeof value === 'string' && (
        <div className="rounded-md border border-line bg-surface px-2.5 py-2">
          <LongText text={value} />
        </div>
      )}
      {form === 'json' && <JsonView label={title} value={value} find={find} />}
    </>
  );
}

interface JsonViewProps {
  label: string;
  value: unknown;
  find?: FindText | null;
}

/** A value as JSON with its structure to fold. */
export function JsonView({ label, value, find = null }: JsonViewProps): ReactNode {
  const text = useMemo(() => jsonText(value), [value]);
  return <CodeView label={label} text={text} find={find} />;
}
