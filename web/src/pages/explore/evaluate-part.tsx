import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { evaluatorsQuery } from '../../api/evaluators.ts';
import { CheckList } from '../../design/check-list.tsx';
import { Input } from '../../design/field.tsx';
import { Skeleton } from '../../design/states.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import type { PartProps } from './bulk-part.ts';

/** The evaluators that measure what is selected, and how much their judges may cost. */
export function EvaluatePart({ noun, onAction }: PartProps): ReactNode {
  const { projectId } = useProject();
  const { data } = useQuery(evaluatorsQuery(projectId));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [cost, setCost] = useState('');
  const tell = (evaluators: readonly string[], written: string) => {
    const maxCostUsd = written.trim() === '' ? undefined : Number(written);
    const isWrong = maxCostUsd !== undefined && !(maxCostUsd >= 0);
    onAction(
      evaluators.length === 0 || isWrong
        ? null
        : {
            type: 'evaluate',
            evaluators: [...evaluators],
            onlyUnscored: true,
            ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
          },
    );
  };
  if (data === undefined) return <Skeleton className="h-14" />;
  const evaluators = data.evaluators.filter(({ enabled, target }) => enabled && target !== 'session');
  if (evaluators.length === 0)
    return <p className="text-ink-soft">No evaluator is enabled. Create one on the page Evaluators.</p>;
  return (
    <>
      <CheckList
        label="Evaluators"
        options={evaluators.map(({ slug, name }) => ({ value: slug, label: visibleText(name) }))}
        values={chosen}
        onValues={(values) => {
          setChosen(values);
          tell(values, cost);
        }}
        hint={`A ${noun} that an evaluator has scored keeps its score.`}
      />
      <Input
        label="Maximum cost of judges, US dollars"
        hint="Optional. Once it is reached, no further record is evaluated."
        inputMode="decimal"
        value={cost}
        onChange={({ target: { value } }) => {
          setCost(value);
          tell(chosen, value);
        }}
      />
    </>
  );
}
