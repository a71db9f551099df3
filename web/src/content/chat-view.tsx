import { Bot, Brain, Image, Settings2, User, Wrench } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../design/badge.tsx';
import { Visible } from '../design/visible.tsx';
import { jsonText } from './json-text.ts';
import { LongText } from './long-text.tsx';
import type { Message, Part } from './read-messages.ts';

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
      return (
        <div className="rounded-md border border-line">
          <div className="flex items-center gap-1.5 px-2 py-1 text-xs">
            <Wrench className="size-3.5 text-ink-faint" aria-hidden />
            <Visible text={part.name} className="font-mono font-medium" />
            {!part.answered && <Badge>no result here</Badge>}
          </div>
          <Labelled label="arguments" value={part.arguments} />
          {part.answered && <Labelled label="result" value={part.result} />}
        </div>
      );
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

function Labelled({ label, value }: { label: string; value: unknown }): ReactNode {
  return (
    <div className="border-t border-line px-2 py-1.5">
      <Visible text={label} className="text-2xs text-ink-faint" />
      {typeof value === 'string' ? <LongText text={value} /> : <LongText mono text={jsonText(value)} />}
    </div>
  );
}
