import { useState } from 'react';
import type { ReactNode } from 'react';
import type { PromptType } from '../../api/parts.ts';
import { Segments } from '../../design/segments.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { withJson, withType } from './draft.ts';
import type { Draft } from './draft.ts';
import { Editor, EditorField } from '../../content/editor-field.tsx';
import { MessagesEditor } from './messages-editor.tsx';

interface PromptFieldProps {
  draft: Draft;
  error: string | null;
  onDraft(change: (before: Draft) => Draft): void;
}

/** Edits the prompt: a text, or a chat as messages or as JSON. */
export function PromptField({ draft, error, onDraft }: PromptFieldProps): ReactNode {
  const [unparsed, setUnparsed] = useState(false);
  const toForm = (asJson: boolean) => {
    const next = withJson(draft, asJson);
    setUnparsed(next === null);
    if (next !== null) onDraft(() => next);
  };
  const wrong = unparsed ? 'Must be a JSON array of messages with role and content.' : error;
  return (
    <EditorField
      label="Prompt"
      error={wrong === null ? null : visibleText(wrong)}
      hint={
        <>
          <code className="font-mono">{'{{name}}'}</code>: variable. <code className="font-mono">{'{{> other }}'}</code>,{' '}
          <code className="font-mono">{'{{> other@label }}'}</code>, <code className="font-mono">{'{{> other#3 }}'}</code>:{' '}
          include another prompt.
        </>
      }
      aside={
        <>
          {draft.type === 'chat' && (
            <Segments
              label="Edit chat as"
              value={draft.json === null ? 'messages' : 'json'}
              options={[
                { value: 'messages', label: 'Messages' },
                { value: 'json', label: 'JSON' },
              ]}
              onValue={(form) => toForm(form === 'json')}
            />
          )}
          <Segments<PromptType>
            label="Prompt type"
            value={draft.type}
            options={[
              { value: 'text', label: 'Text' },
              { value: 'chat', label: 'Chat' },
            ]}
            onValue={(type) => onDraft((before) => withType(before, type))}
          />
        </>
      }
    >
      {draft.type === 'text' ? (
        <Editor
          key="text"
          label="Prompt text"
          tall
          language="prompt"
          initial={draft.text}
          invalid={wrong !== null}
          onText={(text) => onDraft((before) => ({ ...before, text }))}
        />
      ) : draft.json === null ? (
        <MessagesEditor
          messages={draft.messages}
          onMessages={(change) => onDraft((before) => ({ ...before, messages: change(before.messages) }))}
        />
      ) : (
        <Editor
          key="json"
          label="Messages as JSON"
          tall
          language="json"
          initial={draft.json}
          invalid={wrong !== null}
          onText={(json) => onDraft((before) => ({ ...before, json }))}
        />
      )}
    </EditorField>
  );
}
