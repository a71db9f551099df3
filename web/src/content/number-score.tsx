import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { evaluatorsQuery } from '../api/evaluators.ts';
import type { EvaluatorRecord } from '../api/wire.ts';
import { Button } from '../design/button.tsx';
import { Input } from '../design/field.tsx';
import { formatScore } from '../format/number-format.ts';

interface NumberScoreProps {
  projectId: string;
  slug: string;
  initial: number | null;
  busy: boolean;
  /** Takes the focus. */
  focused: boolean;
  error: string | null;
  onScore(score: number): void;
}

/** The minimum and maximum score of an evaluator; null without a scale. */
function scaleOf(evaluator: EvaluatorRecord | undefined): [number, number] | null {
  const scale = evaluator?.config['scale'];
  return Array.isArray(scale) ? [Number(scale[0]), Number(scale[1])] : null;
}

/** The scale and pass threshold of an evaluator. */
function scaleLabel(evaluator: EvaluatorRecord | undefined): string {
  const scale = scaleOf(evaluator);
  const parts = [
    ...(scale ? [`Scale ${scale[0]}–${scale[1]}`] : []),
    ...(typeof evaluator?.passThreshold === 'number' ? [`passes at ≥ ${formatScore(evaluator.passThreshold)}`] : []),
  ];
  return parts.length === 0 ? 'Any number. No pass threshold.' : parts.join(', ');
}

/** A form for a numeric score. */
export function NumberScore({ projectId, slug, initial, busy, focused, error, onScore }: NumberScoreProps): ReactNode {
  const { data } = useQuery(evaluatorsQuery(projectId));
  // Keeps the typed text when another slug is chosen.
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (initial === null ? '' : String(initial));
  const [refused, setRefused] = useState(false);
  const evaluator = data?.evaluators.find((one) => one.slug === slug);
  const scale = scaleOf(evaluator);
  const outside = scale !== null && (Number(text) < scale[0] || Number(text) > scale[1]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setRefused(outside);
    if (text !== '' && Number.isFinite(Number(text)) && !outside) onScore(Number(text));
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-1" noValidate>
      <div className="flex items-end gap-2">
        <Input
          label="Score"
          type="number"
          step="any"
          className="flex-1"
          autoFocus={focused}
          value={text}
          onChange={(event) => setTyped(event.target.value)}
          error={refused && outside ? `Enter a number from ${scale[0]} to ${scale[1]}.` : error}
        />
        <Button look="primary" type="submit" busy={busy} disabled={text === ''}>
          Save
        </Button>
      </div>
      <p className="text-xs text-ink-faint">{scaleLabel(evaluator)}</p>
    </form>
  );
}
