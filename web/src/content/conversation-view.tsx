import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Segments } from '../design/segments.tsx';
import { ChatView } from './chat-view.tsx';
import { conversationOf } from './conversation.ts';
import { jsonSize } from './json-size.ts';
import { ValueView } from './value-view.tsx';

/** Beyond so many characters of JSON, input and output are shown apart, each folded. */
const longestChat = 400_000;

type Form = 'chat' | 'apart';

/** Input and output as one conversation, or each on its own. */
export function ConversationView({ input, output }: { input: unknown; output: unknown }): ReactNode {
  const [form, setForm] = useState<Form>('chat');
  const large = useMemo(() => jsonSize([input, output], longestChat) >= longestChat, [input, output]);
  const messages = useMemo(() => (large ? [] : conversationOf(input, output)), [large, input, output]);
  const apart = large || form === 'apart';
  return (
    <section aria-label="Input and output" className="flex min-w-0 flex-col gap-2">
      {!large && (
        <div className="flex justify-end">
          <Segments<Form>
            label="Input and output as"
            value={form}
            options={[
              { value: 'chat', label: 'Chat' },
              { value: 'apart', label: 'Input and output' },
            ]}
            onValue={setForm}
          />
        </div>
      )}
      {!apart && <ChatView messages={messages} />}
      {!apart && messages.length === 0 && <p className="text-ink-faint">It was sent without input and output.</p>}
      {apart && input !== null && <ValueView title="Input" value={input} />}
      {apart && output !== null && <ValueView title="Output" value={output} />}
    </section>
  );
}
