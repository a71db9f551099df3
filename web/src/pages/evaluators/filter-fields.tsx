import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { modelsQuery } from '../../api/models.ts';
import { Button } from '../../design/button.tsx';
import { ErrorText } from '../../design/error-text.tsx';
import { ListInput } from '../../design/list-input.tsx';
import { useProject } from '../../frame/project-context.ts';
import { ExpressionField } from '../../frame/expression-field.tsx';
import { kindNames } from './evaluator-labels.ts';
import { namedFilters } from './form-values.ts';
import type { FieldsProps } from './form-values.ts';

const labels = { models: 'Models', agents: 'Agents', environments: 'Environments', tags: 'Tags' } as const;

/** What meets the expression. */
const expressionHints = {
  span: 'Spans that meet it when they arrive.',
  trace: 'Traces that meet it when they arrive.',
  session: 'Sessions with a trace that meets it.',
} as const;

/** Filters of live data. Each field with values must match one of them. */
export function FilterFields({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  const { projectId } = useProject();
  const models = useQuery(modelsQuery(projectId, { range: '30d' }));
  const kinds = form.filter.kinds;
  const toggle = (kind: string) =>
    onChange({
      filter: { ...form.filter, kinds: kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind] },
    });
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 border-t border-line pt-3" disabled={disabled}>
      <legend className="float-left mb-1 w-full text-xs text-ink-faint">
        Live data must match every filter below. Dataset runs are not filtered.
      </legend>
      <div className="flex flex-col gap-1">
        <span className="text-xs font-medium text-ink-soft" id="filter-kinds">
          {form.target === 'span' ? 'Kinds' : 'Root span kinds'}
        </span>
        <div role="group" aria-labelledby="filter-kinds" className="flex flex-wrap gap-1">
          {kindNames.map((kind) => (
            <Button key={kind} size="small" repeatable pressed={kinds.includes(kind)} onClick={() => toggle(kind)}>
              {kind}
            </Button>
          ))}
        </div>
        <ErrorText text={errorAt('/filter/kinds')} />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        {namedFilters.map((name) => (
          <ListInput
            key={name}
            label={labels[name]}
            placeholder="Any (Enter to add)"
            values={form.filter[name]}
            disabled={disabled}
            onValues={(values) => onChange({ filter: { ...form.filter, [name]: values } })}
            suggestions={name === 'models' ? (models.data?.models ?? []).map(({ model }) => model) : []}
            error={errorAt(`/filter/${name}`)}
          />
        ))}
      </div>
      <ExpressionField
        on={form.target === 'span' ? 'spans' : 'traces'}
        label="Filter"
        hint={expressionHints[form.target]}
        value={form.expression}
        onValue={(expression) => onChange({ expression })}
        error={errorAt('/filter/expression')}
        disabled={disabled}
      />
    </fieldset>
  );
}
