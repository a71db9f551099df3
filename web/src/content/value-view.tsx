import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { CopyButton } from '../design/copy.tsx';
import { Segments } from '../design/segments.tsx';
import { Skeleton } from '../design/states.tsx';
import { ChatView } from './chat-view.tsx';
import { DocumentCards } from './document-cards.tsx';
import { foldedMessages } from './earlier-messages.ts';
import { parsedText } from './embedded-json.ts';
import type { FindText } from './find-text.ts';
import { jsonSize } from './json-size.ts';
import { jsonText } from './json-text.ts';
import { JsonView, LargePayload, maxCounted } from './json-view.tsx';
import { LongText } from './long-text.tsx';
import type { Message } from './message.ts';
import { readDocuments } from './read-documents.ts';
import { MarkdownSwitch, RichText } from './rich-text.tsx';
import { useMessages } from './use-messages.ts';

type Form = 'chat' | 'documents' | 'text' | 'json';
const formNames: Readonly<Record<Form, string>> = { chat: 'Chat', documents: 'Documents', text: 'Text', json: 'JSON' };

/** Larger values, in characters of JSON, are shown on request only. */
const maxUnfolded = 400_000;

interface ValueViewProps {
  title: string;
  value: unknown;
  /** Shows the value as JSON and scrolls to a text in it. */
  find?: FindText | null;
  /** Folds the messages that an earlier call had. `previous`: the messages of the call before, null if it is not known. */
  history?: History | null;
}

interface History {
  previous: readonly Message[] | null;
}

/** Shows an input or output as a conversation, as text or as JSON. Large values are folded until the viewer asks for them. */
export function ValueView({ title, value, find = null, history = null }: ValueViewProps): ReactNode {
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
        <Opened {...{ title, value, find, history }} />
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
    <div className="mb-1 flex min-h-8 flex-wrap items-center gap-x-2">
      <h3 className="text-xs font-semibold text-ink-soft">{title}</h3>
      {children}
      <span className="flex-1" />
      <CopyButton label={`Copy ${title.toLowerCase()}`} text={() => (typeof value === 'string' ? value : jsonText(value))} />
    </div>
  );
}

function Opened({ title, value, find, history }: Required<ValueViewProps>): ReactNode {
  const messages = useMessages(value);
  const documents = useMemo(() => (messages ? null : readDocuments(value)), [messages, value]);
  const fold = useMemo(() => (history && messages ? foldedMessages(messages, history.previous) : null), [history, messages]);
  const [chosen, setChosen] = useState<Form | null>(null);
  const isReading = messages === undefined && find === null;
  const isJson = useMemo(() => typeof value === 'string' && typeof parsedText(value) !== 'string', [value]);
  const forms: Form[] = [
    ...(messages ? (['chat'] as const) : []),
    ...(documents ? (['documents'] as const) : []),
    ...(typeof value === 'string' && !isJson ? (['text'] as const) : []),
    'json',
    ...(isJson ? (['text'] as const) : []),
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
        {!isReading && (form === 'chat' || (form === 'text' && !isJson)) && <MarkdownSwitch />}
      </Heading>
      {isReading ? (
        <Skeleton className="h-20" />
      ) : form === 'chat' && messages ? (
        <ChatView messages={messages} fold={fold} />
      ) : form === 'documents' && documents ? (
        <DocumentCards documents={documents} />
      ) : form === 'text' && typeof value === 'string' ? (
        <div className="rounded-md border border-line bg-surface px-2.5 py-2">
          {isJson ? <LongText text={value} /> : <RichText text={value} />}
        </div>
      ) : (
        <JsonView label={title} value={value} find={find} exact={find !== null} />
      )}
    </>
  );
}
