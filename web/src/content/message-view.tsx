import { Bot, Brain, CornerDownRight, Settings2, User, Wrench } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { memo, use, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Badge } from '../design/badge.tsx';
import { classNames } from '../design/class-names.ts';
import { CopyButton } from '../design/copy.tsx';
import { Duration } from '../design/figures.tsx';
import { FoldButton } from '../design/fold-button.tsx';
import { Visible, VisibleLine } from '../design/visible.tsx';
import { visibleText } from '../format/visible-text.ts';
import { FindQuery, messageLine, messageText, partHasText } from './find-query.ts';
import { InlineJson } from './json-view.tsx';
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

const partStep = 20;

interface MessageViewProps {
  message: Message;
  /** Shows one line until the viewer opens it. */
  folded: boolean;
  /** Skips the layout outside of the viewport. */
  isLong: boolean;
}

/** A message that folds to one line, and opens when the searched text is in it. */
export const MessageView = memo(function MessageView({ message, folded, isLong }: MessageViewProps): ReactNode {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [count, setCount] = useState(partStep);
  const query = use(FindQuery);
  const lastFound = useMemo(() => message.parts.findLastIndex((part) => partHasText(part, query)), [message, query]);
  const isOpen = chosen ?? (lastFound >= 0 || !folded);
  const Icon = icons[message.role] ?? User;
  const shown = Math.max(count, lastFound + 1);
  const left = message.parts.length - shown;
  return (
    <li
      className={classNames(
        'min-w-0 rounded-md border border-line bg-surface',
        isLong && '[contain-intrinsic-size:auto_2rem] [content-visibility:auto]',
      )}
    >
      <div
        className={classNames(
          'flex items-center bg-sunken pr-0.5 text-xs font-medium text-ink-soft',
          isOpen ? 'rounded-t-md border-b border-line' : 'rounded-md',
        )}
      >
        <FoldButton className="min-h-7 flex-1 pl-1.5" isOpen={isOpen} onToggle={() => setChosen(!isOpen)}>
          <Icon className="size-3.5 shrink-0" aria-hidden />
          <Visible text={message.role} className="shrink-0" />
          {message.name !== null && <Visible text={message.name} className="shrink-0 text-ink-faint" />}
          {!isOpen && <VisibleLine text={messageLine(message)} className="min-w-0 font-normal text-ink-faint" />}
        </FoldButton>
        <CopyButton label="Copy message" text={() => messageText(message)} />
      </div>
      {isOpen && (
        <div className="flex flex-col gap-2 px-2.5 py-2">
          {message.parts.length === 0 && <span className="text-ink-faint">Empty</span>}
          {message.parts.slice(0, shown).map((part, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <PartView key={index} part={part} />
          ))}
          {left > 0 && <ShowMore label={moreElements(left, partStep, 'parts')} onMore={() => setCount(shown + partStep)} />}
        </div>
      )}
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
  const [isOpen, setOpen] = useState(true);
  const run = use(ToolRuns)(call);
  const result = run?.result ?? null;
  const copied = () => messageText({ role: '', name: null, parts: [call] });
  return (
    <div className="min-w-0 rounded-md border border-line" role="group" aria-label={`Tool call ${visibleText(call.name)}`}>
      <div className="flex min-w-0 items-center pr-0.5 text-xs">
        <FoldButton className="min-h-7 flex-1 pl-1.5" isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
          <Wrench className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
          <Visible text={call.name} className="min-w-0 truncate font-mono font-medium" />
          {call.id !== null && <VisibleLine text={call.id} className="min-w-0 font-mono text-2xs text-ink-faint" />}
          {!call.answered && result === null && <Badge>no result</Badge>}
        </FoldButton>
        <CopyButton label="Copy tool call" text={copied} />
      </div>
      {isOpen && (
        <>
          <Labelled label="Arguments" value={call.arguments} />
          {call.answered && <Labelled label="Result" value={call.result} />}
          {!call.answered && result !== null && <Labelled label={`Result (from ${result.from})`} value={result.value} />}
        </>
      )}
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
      {typeof value === 'string' ? <RichText text={value} /> : <InlineJson label={label} value={value} />}
    </div>
  );
}
