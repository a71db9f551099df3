import { Bot, Brain, CornerDownRight, Image, Settings2, User, Wrench } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { use } from 'react';
import type { ReactNode } from 'react';
import { Badge } from '../design/badge.tsx';
import { Duration } from '../design/figures.tsx';
import { Visible, VisibleLine } from '../design/visible.tsx';
import { visibleText } from '../format/visible-text.ts';
import { jsonText } from './json-text.ts';
import { LongText } from './long-text.tsx';
import type { Message, Part } from './read-messages.ts';
import { ToolRuns } from './tool-runs.ts';
import type { RunSpan, ToolCall } from './tool-runs.ts';

const icons: Readonly<Record<string, LucideIcon>> = {
  system: Settings2,
  developer: Settings2,
  user: User,
  assistant: Bot,
  tool: Wrench,
};

/** A conversation, message by message. */
export function ChatView({ messages }: { messages: readonly Message[] }): ReactNode {
  return (
    <ol className="flex flex-col gap-2">
      {messages.map((message, index) => (
        // Messages of a stored conversation neither move nor go.
        // oxlint-disable-next-line react/no-array-index-key
        <MessageView key={index} message={message} />
      ))}
    </ol>
  );
}

function MessageView({ message }: { message: Message }): ReactNode {
  const Icon = icons[message.role] ?? User;
  return (
    <li className="rounded-md border border-line bg-surface">
      <div className="flex items-center gap-1.5 border-b border-line bg-sunken px-2.5 py-1 text-xs font-medium text-ink-soft">
        <Icon className="size-3.5" aria-hidden />
        <Visible text={message.role} />
        {message.name !== null && <Visible text={message.name} className="text-ink-faint" />}
      </div>
      <div className="flex flex-col gap-2 px-2.5 py-2">
        {message.parts.length === 0 && <span className="text-ink-faint">empty</span>}
        {message.parts.map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <PartView key={index} part={part} />
        ))}
      </div>
    </li>
  );
}

function PartView({ part }: { part: Part }): ReactNode {
  switch (part.kind) {
    case 'text':
      return <LongText text={part.text} />;
    case 'reasoning':
      return (
        <div className="border-l-2 border-line-strong pl-2 text-ink-soft">
          <span className="flex items-center gap-1 text-xs text-ink-faint">
            <Brain className="size-3.5" aria-hidden /> reasoning
          </span>
          <LongText text={part.text} />
        </div>
      );
    case 'tool-call':
      return <ToolCallView call={part} />;
    case 'tool-result':
      return <Labelled label={part.name === null ? 'result' : `result of ${part.name}`} value={part.result} />;
    case 'media':
      return (
        <span className="flex items-center gap-1.5 text-ink-soft">
          <Image className="size-4 shrink-0" aria-hidden />
          <Visible text={part.label} className="truncate font-mono text-xs" />
        </span>
      );
    case 'other':
      return <LongText mono text={jsonText(part.value)} />;
  }
}

/** A call of a tool with its arguments, its result, and what ran it. */
function ToolCallView({ call }: { call: ToolCall }): ReactNode {
  const run = use(ToolRuns)(call);
  const result = run?.result ?? null;
  return (
    <div className="rounded-md border border-line" role="group" aria-label={`Call of ${visibleText(call.name)}`}>
      <div className="flex min-w-0 items-center gap-1.5 px-2 py-1 text-xs">
        <Wrench className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
        <Visible text={call.name} className="min-w-0 truncate font-mono font-medium" />
        {call.id !== null && <VisibleLine text={call.id} className="min-w-0 font-mono text-2xs text-ink-faint" />}
        {!call.answered && result === null && <Badge>no result here</Badge>}
      </div>
      <Labelled label="arguments" value={call.arguments} />
      {call.answered && <Labelled label="result" value={call.result} />}
      {!call.answered && result !== null && <Labelled label={`result, from ${result.from}`} value={result.value} />}
      {run?.span != null && <RunLink run={run.span} />}
    </div>
  );
}

function RunLink({ run }: { run: RunSpan }): ReactNode {
  return (
    <div className="flex min-w-0 items-center gap-1.5 border-t border-line px-2 py-1 text-xs">
      <CornerDownRight className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
      <span className="shrink-0 text-ink-faint">run by</span>
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
          failed: <Visible text={run.failure} />
        </span>
      )}
    </div>
  );
}

function Labelled({ label, value }: { label: string; value: unknown }): ReactNode {
  return (
    <div className="border-t border-line px-2 py-1.5">
      <Visible text={label} className="text-2xs text-ink-faint" />
      {typeof value === 'string' ? <LongText text={value} /> : <LongText mono text={jsonText(value)} />}
    </div>
  );
}
