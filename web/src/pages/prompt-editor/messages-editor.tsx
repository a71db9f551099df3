import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../design/button.tsx';
import { Input } from '../../design/field.tsx';
import { draftMessage } from './draft.ts';
import type { DraftMessage } from './draft.ts';
import { Editor } from '../../content/editor-field.tsx';

const roles = ['system', 'user', 'assistant', 'developer', 'tool'];

interface MessagesEditorProps {
  messages: readonly DraftMessage[];
  onMessages(change: (before: readonly DraftMessage[]) => readonly DraftMessage[]): void;
}

/** Edits the messages of a chat prompt. */
export function MessagesEditor({ messages, onMessages }: MessagesEditorProps): ReactNode {
  const list = useId();
  const change = (key: number, fields: Partial<DraftMessage>) =>
    onMessages((before) => before.map((message) => (message.key === key ? { ...message, ...fields } : message)));
  const move = (index: number, by: number) =>
    onMessages((before) => {
      const moved = before[index];
      return moved ? before.toSpliced(index, 1).toSpliced(index + by, 0, moved) : before;
    });
  const last = messages.at(-1);
  return (
    <div className="flex flex-col gap-2">
      <datalist id={list}>
        {roles.map((role) => (
          <option key={role} value={role} />
        ))}
      </datalist>
      <ol className="flex flex-col gap-2">
        {messages.map((message, index) => (
          <li key={message.key} className="rounded-md border border-line bg-sunken p-2">
            <div className="mb-1.5 flex items-center gap-1">
              <Input
                label={`Role of message ${index + 1}`}
                labelHidden
                className="w-36"
                maxLength={100}
                value={message.role}
                onChange={(event) => change(message.key, { role: event.target.value })}
                list={list}
              />
              <span className="flex-1" />
              <IconButton label="Move up" size="small" disabled={index === 0} onClick={() => move(index, -1)}>
                <ArrowUp aria-hidden />
              </IconButton>
              <IconButton label="Move down" size="small" disabled={index === messages.length - 1} onClick={() => move(index, 1)}>
                <ArrowDown aria-hidden />
              </IconButton>
              <IconButton
                label={`Remove message ${index + 1}`}
                size="small"
                onClick={() => onMessages((before) => before.filter(({ key }) => key !== message.key))}
              >
                <Trash2 aria-hidden />
              </IconButton>
            </div>
            <Editor
              label={`Message ${index + 1}`}
              language="prompt"
              initial={message.content}
              onText={(content) => change(message.key, { content })}
            />
          </li>
        ))}
      </ol>
      <Button
        size="small"
        repeatable
        className="self-start"
        onClick={() => onMessages((before) => [...before, draftMessage(last?.role === 'user' ? 'assistant' : 'user')])}
      >
        <Plus aria-hidden />
        Add message
      </Button>
    </div>
  );
}
