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
  /** It is typed in at once. */
  focused: boolean;
  error: string | null;
  onScore(score: number): void;
}

/** What is known of the numbers that an evaluator gives: its scale, and from where on they pass. */
function scaleInWords(evaluator: EvaluatorRecord | undefined): string {
  const scale = evaluator?.config['scale'];
  const words = [
    ...(Array.isArray(scale) ? [`from ${String(scale[0])} to ${String(scale[1])}`] : []),
    ...(typeof evaluator?.passThreshold === 'number' ? [`passes from ${formatScore(evaluator.passThreshold)}`] : []),
  ];
  return words.length === 0 ? 'any number; nothing says from where on it passes' : words.join(', ');
}

/** A score as a number; Enter gives it. */
export function NumberScore({ projectId, slug, initial, busy, focused, error, onScore }: NumberScoreProps): ReactNode {
  const { data } = useQuery(evaluatorsQuery(projectId));
  const [text, setText] = useState(initial === null ? '' : String(initial));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text !== '' && Number.isFinite(Number(text))) onScore(Number(text));
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
          onChange={(event) => setText(event.target.value)}
          error={error}
        />
        <Button look="primary" type="submit" busy={busy} disabled={text === ''}>
          Record
        </Button>
      </div>
      <p className="text-xs text-ink-faint">{scaleInWords(data?.evaluators.find((one) => one.slug === slug))}</p>
    </form>
  );
}
