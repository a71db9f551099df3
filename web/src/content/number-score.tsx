import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { evaluatorsQuery } from '../api/evaluators.ts';
import type { Evaluator } from '../api/service.ts';
import { Button } from '../design/button.tsx';
import { Input } from '../design/field.tsx';
import { formatScore } from '../format/number-format.ts';
import { configuredScale } from './evaluator-scale.ts';

interface NumberScoreProps {
  projectId: string;
  slug: string;
  /** Identifies what is scored. Another subject clears the field. */
  subject: string;
  initial: number | null;
  busy: boolean;
  /** Takes no input, for example until the subject is on the screen. */
  closed: boolean;
  /** Takes the focus, also for another subject. */
  focused: boolean;
  error: string | null;
  onScore(score: number): void;
}

/** The scale and pass threshold of an evaluator. */
function scaleLabel(evaluator: Evaluator | undefined): string {
  const scale = configuredScale(evaluator);
  const parts = [
    ...(scale ? [`Scale ${scale[0]}–${scale[1]}`] : []),
    ...(typeof evaluator?.passThreshold === 'number' ? [`passes at ≥ ${formatScore(evaluator.passThreshold)}`] : []),
  ];
  return parts.length === 0 ? 'Any number. No pass threshold.' : parts.join(', ');
}

/** A form for a numeric score. */
export function NumberScore(props: NumberScoreProps): ReactNode {
  const { projectId, slug, subject, initial, busy, closed, focused, error, onScore } = props;
  const { data } = useQuery(evaluatorsQuery(projectId));
  // Keeps the typed text when another slug is chosen.
  const [draft, setDraft] = useState<{ subject: string; text: string } | null>(null);
  const typed = draft?.subject === subject ? draft.text : null;
  const text = typed ?? (initial === null ? '' : String(initial));
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Other text may be under way, such as a comment.
    if (focused && !closed && document.activeElement?.matches('input, textarea') !== true) field.current?.focus();
  }, [focused, closed]);
  const [refused, setRefused] = useState(false);
  const evaluator = data?.evaluators.find((one) => one.slug === slug);
  const scale = configuredScale(evaluator);
  const outside = scale !== null && (Number(text) < scale[0] || Number(text) > scale[1]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setRefused(outside);
    if (!closed && text !== '' && Number.isFinite(Number(text)) && !outside) onScore(Number(text));
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-1" noValidate>
      <div className="flex items-end gap-2">
        <Input
          label="Score"
          type="number"
          step="any"
          className="flex-1"
          ref={field}
          readOnly={closed}
          value={text}
          onChange={(event) => setDraft({ subject, text: event.target.value })}
          error={refused && outside ? `Enter a number from ${scale[0]} to ${scale[1]}.` : error}
        />
        <Button look="primary" type="submit" busy={busy} disabled={closed || text === ''}>
          Save
        </Button>
      </div>
      <p className="text-xs text-ink-faint">{scaleLabel(evaluator)}</p>
    </form>
  );
}
