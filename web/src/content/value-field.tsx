import { useId } from 'react';
import type { ReactNode } from 'react';
import { TextArea } from '../design/field.tsx';
import { Segments } from '../design/segments.tsx';
import { draftAs } from './value-draft.ts';
import type { ValueDraft } from './value-draft.ts';

const formNames: Readonly<Record<ValueDraft['form'], string>> = { text: 'Text', json: 'JSON', none: 'None' };

interface ValueFieldProps {
  label: string;
  draft: ValueDraft;
  forms: ReadonlyArray<ValueDraft['form']>;
  onDraft(draft: ValueDraft): void;
  /** Shown while the form is "none". */
  noneHint?: string;
  error?: string | undefined;
  rows?: number;
}

/** Edits a value as text or JSON, or leaves it out. */
export function ValueField({ label, draft, forms, onDraft, noneHint, error, rows = 5 }: ValueFieldProps): ReactNode {
  const id = useId();
  return (
    <fieldset className="min-w-0" aria-labelledby={id}>
      <div className="mb-1 flex items-center justify-between gap-2">
        <span id={id} className="text-xs font-medium text-ink-soft">
          {label}
        </span>
        {forms.length > 1 && (
          <Segments
            label={`${label} as`}
            value={draft.form}
            options={forms.map((form) => ({ value: form, label: formNames[form] }))}
            onValue={(form) => onDraft(draftAs(draft, form))}
          />
        )}
      </div>
      {draft.form === 'none' ? (
        <p className="rounded-md border border-line bg-sunken px-2.5 py-1.5 text-ink-faint">{noneHint ?? 'Not set'}</p>
      ) : (
        <TextArea
          label={label}
          labelHidden
          mono={draft.form === 'json'}
          rows={rows}
          spellCheck={draft.form === 'text'}
          dir="auto"
          value={draft.text}
          onChange={(event) => onDraft({ ...draft, text: event.target.value })}
          error={error}
        />
      )}
    </fieldset>
  );
}
