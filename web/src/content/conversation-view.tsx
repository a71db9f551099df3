import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Segments } from '../design/segments.tsx';
import { ChatView } from './chat-view.tsx';
import { conversationOf } from './conversation.ts';
import { jsonSize } from './json-size.ts';
import { MarkdownSwitch } from './rich-text.tsx';
import { ValueView } from './value-view.tsx';

/** Longer input and output, in characters of JSON, are shown separately, each folded. */
const maxChat = 400_000;

type Form = 'chat' | 'separate';

/** Input and output as one conversation, or separately. */
export function ConversationView({ input, output }: { input: unknown; output: unknown }): ReactNode {
  const [form, setForm] = useState<Form>('chat');
  const large = useMemo(() => jsonSize([input, output], maxChat) >= maxChat, [input, output]);
  const messages = useMemo(() => (large ? [] : conversationOf(input, output)), [large, input, output]);
  const separate = large || form === 'separate';
  return (
    <section aria-label="Input and output" className="flex min-w-0 flex-col gap-2">
      {!large && (
        <div className="flex justify-end gap-2">
          {!separate && <MarkdownSwitch />}
          <Segments<Form>
            label="Input and output as"
            value={form}
            options={[
              { value: 'chat', label: 'Chat' },
              { value: 'separate', label: 'Input and output' },
            ]}
            onValue={setForm}
          />
        </div>
      )}
      {!separate && <ChatView messages={messages} />}
      {!separate && messages.length === 0 && <p className="text-ink-faint">No input or output recorded.</p>}
      {separate && input !== null && <ValueView title="Input" value={input} />}
      {separate && output !== null && <ValueView title="Output" value={output} />}
    </section>
  );
}
