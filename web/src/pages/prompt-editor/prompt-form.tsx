import { useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import type { PromptBody } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { TextArea } from '../../design/field.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { visibleText } from '../../format/visible-text.ts';
import { LeaveGuard } from '../../frame/leave-guard.tsx';
import { bodyOf } from './draft.ts';
import type { Draft } from './draft.ts';
import { Editor, EditorField } from '../../content/editor-field.tsx';
import { FamilyFields } from './family-fields.tsx';
import { Preview } from './preview.tsx';
import { PromptField } from './prompt-field.tsx';

const shownFields = ['/prompt', '/type', '/config', '/commitMessage'];
const familyFields = ['/name', '/folder'];

interface PromptFormProps {
  initial: Draft;
  /** Creates a prompt: shows name and folder. */
  isNew: boolean;
  action: string;
  busy: boolean;
  error: unknown;
  /** Saves the draft. Call `done` after success to allow leaving the page. */
  onSave(body: Omit<PromptBody, 'projectId'>, done: () => void): void;
}

/** The form for a version: prompt with preview, configuration and commit message. Shows errors at their fields. */
export function PromptForm({ initial, isNew, action, busy, error, onSave }: PromptFormProps): ReactNode {
  const [draft, setDraft] = useState(initial);
  const [configError, setConfigError] = useState<string | null>(null);
  const saved = useRef(initial);
  const errors = fieldErrors(error, '/name');
  const element = useErrorFocus<HTMLFormElement>(configError ?? error);
  const rest = errors.rest(isNew ? [...shownFields, ...familyFields] : shownFields);
  const change = (fields: Partial<Draft>) => setDraft((before) => ({ ...before, ...fields }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const made = bodyOf(draft, isNew);
    setConfigError('configError' in made ? made.configError : null);
    if ('body' in made)
      onSave(made.body, () => {
        saved.current = draft;
      });
  };
  const atConfig = configError ?? errors.at('/config');
  return (
    <form
      ref={element}
      onSubmit={submit}
      noValidate
      className="grid items-start gap-4 p-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]"
    >
      <LeaveGuard unsaved={() => draft !== initial && draft !== saved.current} />
      <div className="flex min-w-0 flex-col gap-3">
        {isNew && <FamilyFields draft={draft} errors={errors} onChange={change} />}
        <PromptField draft={draft} error={errors.at('/prompt') ?? errors.at('/type')} onDraft={setDraft} />
        <EditorField label="Configuration" error={atConfig} hint="JSON object stored with the version, such as model settings.">
          <Editor
            label="Configuration as JSON"
            language="json"
            initial={initial.config}
            invalid={atConfig !== null}
            onText={(config) => change({ config })}
          />
        </EditorField>
        <TextArea
          label="Commit message"
          rows={2}
          maxLength={2000}
          placeholder="Describe the change"
          value={draft.commitMessage}
          onChange={(event) => change({ commitMessage: event.target.value })}
          error={errors.at('/commitMessage')}
        />
        {rest !== null && (
          <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">
            {visibleText(rest)}
          </p>
        )}
        <div className="flex items-center gap-3">
          <Button type="submit" look="primary" busy={busy} disabled={isNew && draft.name.trim() === ''}>
            {action}
          </Button>
          <p className="text-xs text-ink-faint">
            {isNew
              ? 'Creates version 1. Set labels on the prompt page.'
              : 'The new version gets the label latest. Other labels stay until you move them.'}
          </p>
        </div>
      </div>
      <div className="min-w-0 lg:sticky lg:top-4">
        <Preview draft={draft} />
      </div>
    </form>
  );
}
