import { Bot, Brain, CornerDownRight, Settings2, User, Wrench } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { memo, use, useState } from 'react';
import type { ReactNode } from 'react';
import { Badge } from '../design/badge.tsx';
import { classNames } from '../design/class-names.ts';
import { Duration } from '../design/figures.tsx';
import { Visible, VisibleLine } from '../design/visible.tsx';
import { visibleText } from '../format/visible-text.ts';
import { InlineJson } from './json-view.tsx';
import { LongText } from './long-text.tsx';
import { MediaView } from './media-view.tsx';
import { RichText } from './rich-text.tsx';
import type { Message, Part, ToolCall } from './message.ts';
import { moreElements, ShowMore } from './show-more.tsx';
import { ToolRuns } from './tool-runs.ts';
import type { RunSpan } from './tool-runs.ts';

const icons: Readonly<Record<string, LucideIcon>> = {
  system: Settings2,
  developer: Settings2,
  user: User,
  assistant: Bot,
  tool: Wrench,
};

/** Messages shown at each end of a long conversation. */
const edge = 50;
const messageStep = 100;
const partStep = 20;

/** A conversation. Of a long one the first and last messages are shown, and those between on request. */
export function ChatView({ messages }: { messages: readonly Message[] }): ReactNode {
  const [head, setHead] = useState(edge);
  const isLong = messages.length > 2 * edge;
  const tailStart = isLong ? Math.max(head, messages.length - edge) : 0;
  return (
    <div className="flex flex-col gap-2">
      {isLong && <MessageList messages={messages.slice(0, head)} start={0} isLong />}
      {tailStart > head && (
        <ShowMore
          label={moreElements(tailStart - head, messageStep, 'messages')}
          onMore={() => setHead(Math.min(head + messageStep, tailStart))}
        />
      )}
      <MessageList messages={messages.slice(tailStart)} start={tailStart} isLong={isLong} />
    </div>
  );
}

interface MessageListProps {
  messages: readonly Message[];
  /** Index of the first message in the conversation. */
  start: number;
  /** Skips the layout of messages outside the viewport. */
  isLong: boolean;
}

function MessageList({ messages, start, isLong }: MessageListProps): ReactNode {
  if (messages.length === 0) return null;
  return (
    <ol start={start + 1} className="flex flex-col gap-2">
      {messages.map((message, index) => (
        // Messages of a stored conversation have no other key and never move.
        // oxlint-disable-next-line react/no-array-index-key
        <MessageView key={start + index} message={message} isLong={isLong} />
      ))}
    </ol>
  );
}

const MessageView = memo(function MessageView({ message, isLong }: { message: Message; isLong: boolean }): ReactNode {
  const [count, setCount] = useState(partStep);
  const Icon = icons[message.role] ?? User;
  const left = message.parts.length - count;
  return (
    <li
      className={classNames(
        'rounded-md border border-line bg-surface',
        isLong && '[contain-intrinsic-size:auto_5rem] [content-visibility:auto]',
      )}
    >
      <div className="flex items-center gap-1.5 border-b border-line bg-sunken px-2.5 py-1 text-xs font-medium text-ink-soft">
        <Icon className="size-3.5" aria-hidden />
        <Visible text={message.role} />
        {message.name !== null && <Visible text={message.name} className="text-ink-faint" />}
      </div>
      <div className="flex flex-col gap-2 px-2.5 py-2">
        {message.parts.length === 0 && <span className="text-ink-faint">Empty</span>}
        {message.parts.slice(0, count).map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <PartView key={index} part={part} />
        ))}
        {left > 0 && <ShowMore label={moreElements(left, partStep, 'parts')} onMore={() => setCount(count + partStep)} />}
      </div>
    </li>
  );
});

function PartView({ part }: { part: Part }): ReactNode {
  switch (part.kind) {
    case 'text':
      return <RichText text={part.text} />;
    case 'reasoning':
      return (
        <div className="border-l-2 border-line-strong pl-2 text-ink-soft">
          <span className="flex items-center gap-1 text-xs text-ink-faint">
            <Brain className="size-3.5" aria-hidden /> Reasoning
          </span>
          <RichText text={part.text} />
        </div>
      );
    case 'tool-call':
      return <ToolCallView call={part} />;
    case 'tool-result':
      return <Labelled label={part.name === null ? 'Result' : `Result of ${part.name}`} value={part.result} />;
    case 'media':
      return <MediaView media={part} />;
    case 'other':
      return <InlineJson label="Message part" value={part.value} />;
  }
}

/** A tool call with its arguments, its result and the span that executed it. */
function ToolCallView({ call }: { call: ToolCall }): ReactNode {
  const run = use(ToolRuns)(call);
  const result = run?.result ?? null;
  return (
    <div className="rounded-md border border-line" role="group" aria-label={`Tool call ${visibleText(call.name)}`}>
      <div className="flex min-w-0 items-center gap-1.5 px-2 py-1 text-xs">
        <Wrench className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
        <Visible text={call.name} className="min-w-0 truncate font-mono font-medium" />
        {call.id !== null && <VisibleLine text={call.id} className="min-w-0 font-mono text-2xs text-ink-faint" />}
        {!call.answered && result === null && <Badge>no result</Badge>}
      </div>
      <Labelled label="Arguments" value={call.arguments} />
      {call.answered && <Labelled label="Result" value={call.result} />}
      {!call.answered && result !== null && <Labelled label={`Result (from ${result.from})`} value={result.value} />}
      {run?.span != null && <RunLink run={run.span} />}
    </div>
  );
}

function RunLink({ run }: { run: RunSpan }): ReactNode {
  return (
    <div className="flex min-w-0 items-center gap-1.5 border-t border-line px-2 py-1 text-xs">
      <CornerDownRight className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
      <span className="shrink-0 text-ink-faint">Executed by</span>
      <button
        type="button"
        onClick={run.open}
        className="max-w-[50%] shrink-0 truncate text-left font-medium text-accent hover:underline"
      >
        <Visible text={run.name} />
      </button>
      <span className="shrink-0 text-ink-soft">
        <Duration ms={run.durationMs} />
      </span>
      {run.failure !== null && (
        <span className="min-w-0 truncate text-bad" title={visibleText(run.failure)}>
          Failed: <Visible text={run.failure} />
        </span>
      )}
    </div>
  );
}

function Labelled({ label, value }: { label: string; value: unknown }): ReactNode {
  return (
    <div className="border-t border-line px-2 py-1.5">
      <Visible text={label} className="text-2xs text-ink-faint" />
      {typeof value === 'string' ? <LongText text={value} /> : <InlineJson label={label} value={value} />}
    </div>
  );
}
