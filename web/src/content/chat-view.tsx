import { use, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { FoldButton } from '../design/fold-button.tsx';
import { countedExactly, formatExact } from '../format/number-format.ts';
import type { MessageFold } from './earlier-messages.ts';
import { FindQuery, messageHasText } from './find-query.ts';
import { MessageView } from './message-view.tsx';
import type { Message } from './message.ts';
import { moreElements, ShowMore } from './show-more.tsx';

/** Messages shown at each end of a long conversation. */
const edge = 50;
const messageStep = 100;
/** More messages are not shown because a searched text is in them. */
const maxFoundHead = 1_000;

interface ChatViewProps {
  messages: readonly Message[];
  /** Messages at the beginning that are folded; without it none. */
  fold?: MessageFold | null;
}

/** A conversation. Of a long one the first and last messages are shown, and those between on request. */
export function ChatView({ messages, fold = null }: ChatViewProps): ReactNode {
  const earlier = fold?.earlier ?? 0;
  if (earlier === 0) return <Messages messages={messages} start={0} folded={false} />;
  return (
    <div className="flex flex-col gap-2">
      <Earlier messages={messages.slice(0, earlier)} />
      {fold?.added != null && fold.added > 0 && (
        <p className="text-2xs text-ink-faint">{formatExact(fold.added)} new since the previous call</p>
      )}
      <Messages messages={messages.slice(earlier)} start={earlier} folded={false} />
    </div>
  );
}

/** The messages that were there before, folded together; opened, each is one line. Those with the searched text are shown. */
function Earlier({ messages }: { messages: readonly Message[] }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const query = use(FindQuery);
  const found = useMemo(
    () => messages.flatMap((message, index) => (messageHasText(message, query) ? [{ message, index }] : [])),
    [messages, query],
  );
  return (
    <>
      <FoldButton
        isOpen={isOpen}
        onToggle={() => setOpen(!isOpen)}
        className="h-7 rounded-md border border-dashed border-line-strong px-2 text-xs font-medium text-ink-soft hover:bg-hover hover:text-ink"
      >
        {countedExactly(messages.length, 'earlier message')}
      </FoldButton>
      {isOpen && <Messages messages={messages} start={0} folded />}
      {!isOpen &&
        found
          .slice(0, edge)
          .map(({ message, index }) => <MessageList key={index} messages={[message]} start={index} folded isLong={false} />)}
    </>
  );
}

interface MessagesProps {
  messages: readonly Message[];
  /** Index of the first message in the conversation. */
  start: number;
  folded: boolean;
}

function Messages({ messages, start, folded }: MessagesProps): ReactNode {
  const [wanted, setHead] = useState(edge);
  const query = use(FindQuery);
  const isLong = messages.length > 2 * edge;
  const firstOfTail = messages.length - edge;
  const lastFound = useMemo(
    () => (isLong ? messages.findLastIndex((message, index) => index < firstOfTail && messageHasText(message, query)) : -1),
    [messages, isLong, firstOfTail, query],
  );
  const head = Math.max(wanted, Math.min(lastFound + 1, maxFoundHead));
  const tailStart = isLong ? Math.max(head, firstOfTail) : 0;
  return (
    <div className="flex flex-col gap-2">
      {isLong && <MessageList messages={messages.slice(0, head)} start={start} folded={folded} isLong />}
      {tailStart > head && (
        <ShowMore
          label={moreElements(tailStart - head, messageStep, 'messages')}
          onMore={() => setHead(Math.min(head + messageStep, tailStart))}
        />
      )}
      <MessageList messages={messages.slice(tailStart)} start={start + tailStart} folded={folded} isLong={isLong} />
    </div>
  );
}

function MessageList({ messages, start, folded, isLong }: MessagesProps & { isLong: boolean }): ReactNode {
  if (messages.length === 0) return null;
  return (
    <ol start={start + 1} className="flex flex-col gap-2">
      {messages.map((message, index) => (
        // Messages of a stored conversation have no other key and never move.
        // oxlint-disable-next-line react/no-array-index-key
        <MessageView key={start + index} message={message} folded={folded} isLong={isLong} />
      ))}
    </ol>
  );
}
