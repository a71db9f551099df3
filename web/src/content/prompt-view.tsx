import { Bot, Settings2, User, Wrench } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Visible } from '../design/visible.tsx';
import { jsonText } from './json-text.ts';
import { LongText } from './long-text.tsx';
import { promptMessages } from './prompt-messages.ts';
import type { PromptReference } from './prompt-parts.ts';
import { PromptText } from './prompt-text.tsx';
import { moreElements, ShowMore } from './show-more.tsx';

const icons: Readonly<Record<string, LucideIcon>> = {
  system: Settings2,
  developer: Settings2,
  user: User,
  assistant: Bot,
  tool: Wrench,
};

const messageStep = 100;

interface PromptViewProps {
  type: 'text' | 'chat';
  /** The stored or resolved prompt. */
  prompt: unknown;
  reference?: (reference: PromptReference) => ReactNode;
}

/** Shows a text or chat prompt. */
export function PromptView({ type, prompt, reference }: PromptViewProps): ReactNode {
  const messages = useMemo(() => (type === 'chat' ? promptMessages(prompt) : null), [type, prompt]);
  const [count, setCount] = useState(messageStep);
  const shown = reference === undefined ? {} : { reference };
  if (messages === null) return <PromptText text={typeof prompt === 'string' ? prompt : jsonText(prompt)} {...shown} />;
  return (
    <>
      <ol className="flex flex-col gap-2">
        {messages.slice(0, count).map(({ role, content, rest }, index) => {
          const Icon = icons[role] ?? User;
          return (
            // Messages of a stored prompt have no other key and never move.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className="rounded-md border border-line bg-surface">
              <div className="flex items-center gap-1.5 border-b border-line bg-sunken px-2.5 py-1 text-xs font-medium text-ink-soft">
                <Icon className="size-3.5" aria-hidden />
                <Visible text={role} />
              </div>
              <div className="flex flex-col gap-2 px-2.5 py-2">
                <PromptText text={content} {...shown} />
                {Object.keys(rest).length > 0 && (
                  <div className="border-t border-line pt-1.5">
                    <span className="text-2xs text-ink-faint">Other fields</span>
                    <LongText mono text={jsonText(rest)} />
                  </div>
                )}
              </div>
            </li>
          );
        })}
      </ol>
      {messages.length > count && (
        <ShowMore
          label={moreElements(messages.length - count, messageStep, 'messages')}
          onMore={() => setCount(count + messageStep)}
        />
      )}
    </>
  );
}
