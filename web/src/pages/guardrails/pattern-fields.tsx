import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { Input } from '../../design/field.tsx';
import { Switch } from '../../design/switch.tsx';
import { emptyPattern } from './form-values.ts';
import type { FieldsProps, PatternValue } from './form-values.ts';

const maxPatterns = 50;

/** The patterns of a guardrail with their labels. */
export function PatternFields({ form: { patterns }, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  const change = (index: number, next: Partial<PatternValue>) =>
    onChange({ patterns: patterns.map((one, at) => (at === index ? { ...one, ...next } : one)) });
  const single = patterns.length <= 1;
  return (
    <div className="flex flex-col gap-2" role="group" aria-label="Patterns">
      {patterns.map((value, index) => (
        <div
          // oxlint-disable-next-line react/no-array-index-key -- the fields have no state of their own
          key={index}
          className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-start gap-2 sm:grid-cols-[minmax(0,1fr)_9rem_auto_auto]"
          role="group"
          aria-label={`Pattern ${index + 1}`}
        >
          <Input
            label="Pattern"
            labelHidden={index > 0}
            className="max-sm:col-span-3"
            value={value.pattern}
            spellCheck={false}
            disabled={disabled}
            onChange={(event) => change(index, { pattern: event.target.value })}
            error={errorAt(`/config/patterns/${index}/pattern`)}
          />
          <Input
            label="Label"
            labelHidden={index > 0}
            placeholder="match"
            value={value.label}
            disabled={disabled}
            onChange={(event) => change(index, { label: event.target.value })}
            error={errorAt(`/config/patterns/${index}/label`)}
          />
          <div className={classNames('flex h-8 items-center', index === 0 && 'mt-5.5')}>
            <Switch
              label="Ignore case"
              checked={value.ignoreCase}
              disabled={disabled}
              onChange={(ignoreCase) => change(index, { ignoreCase })}
            />
          </div>
          {!disabled && !single && (
            <div className={classNames('flex h-8 items-center', index === 0 && 'mt-5.5')}>
              <IconButton
                label={`Remove pattern ${index + 1}`}
                onClick={() => onChange({ patterns: patterns.filter((_, at) => at !== index) })}
              >
                <Trash2 aria-hidden />
              </IconButton>
            </div>
          )}
        </div>
      ))}
      <p className="text-xs text-ink-faint">
        RE2 syntax, without lookaround and backreferences. A label names the matches, and their placeholder when they are
        redacted.
      </p>
      {!disabled && patterns.length < maxPatterns && (
        <div>
          <Button size="small" onClick={() => onChange({ patterns: [...patterns, emptyPattern] })}>
            <Plus aria-hidden />
            Add pattern
          </Button>
        </div>
      )}
    </div>
  );
}
