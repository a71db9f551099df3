import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { CopyButton } from '../design/copy.tsx';
import { Segments } from '../design/segments.tsx';
import { Skeleton } from '../design/states.tsx';
import { ChatView } from './chat-view.tsx';
import type { FindText } from './find-text.ts';
import { jsonSize } from './json-size.ts';
import { jsonText } from './json-text.ts';
import { JsonView, LargePayload, maxCounted } from './json-view.tsx';
import { MarkdownSwitch, RichText } from './rich-text.tsx';
import { useMessages } from './use-messages.ts';

type Form = 'chat' | 'text' | 'json';
const formNames: Readonly<Record<Form, string>> = { chat: 'Chat', text: 'Text', json: 'JSON' };

/** Larger values, in characters of JSON, are shown on request only. */
const maxUnfolded = 400_000;

interface ValueViewProps {
  title: string;
  value: unknown;
  /** Shows the value as JSON and scrolls to a text in it. */
  find?: FindText | null;
}

/** Shows an input or output as a conversation, as text or as JSON. Large values are folded until the viewer asks for them. */
export function ValueView({ title, value, find = null }: ValueViewProps): ReactNode {
  const [opened, setOpened] = useState(false);
  const size = useMemo(() => jsonSize(value, maxCounted), [value]);
  const folded = size > maxUnfolded && !opened && find === null;
  return (
    <section className="min-w-0" aria-label={title}>
      {folded ? (
        <>
          <Heading title={title} value={value} />
          <LargePayload size={size} onShow={() => setOpened(true)} />
        </>
      ) : (
        <Opened title={title} value={value} find={find} />
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
      <CopyButton label={`Copy ${title.toLowerCase()}`} text={() => (typeof value === 'string' ? value : jsonText(value))} />
    </div>
  );
}

function Opened({ title, value, find }: Required<ValueViewProps>): ReactNode {
  const messages = useMessages(value);
  const [chosen, setChosen] = useState<Form | null>(null);
  const isReading = messages === undefined && find === null;
  const forms: Form[] = [
    ...(messages ? (['chat'] as const) : []),
    ...(typeof value === 'string' ? (['text'] as const) : []),
    'json',
  ];
  const first = find === null ? (forms[0] ?? 'json') : 'json';
  const form = chosen !== null && forms.includes(chosen) ? chosen : first;
  return (
    <>
      <Heading title={title} value={value}>
        {!isReading && forms.length > 1 && (
          <Segments<Form>
            label={`${title} as`}
            value={form}
            options={forms.map((one) => ({ value: one, label: formNames[one] }))}
            onValue={setChosen}
          />
        )}
        {!isReading && form !== 'json' && <MarkdownSwitch />}
      </Heading>
      {isReading ? (
        <Skeleton className="h-20" />
      ) : form === 'chat' && messages ? (
        <ChatView messages={messages} />
      ) : form === 'text' && typeof value === 'string' ? (
        <div className="rounded-md border border-line bg-surface px-2.5 py-2">
          <RichText text={value} />
        </div>
      ) : (
        <JsonView label={title} value={value} find={find} />
      )}
    </>
  );
}
