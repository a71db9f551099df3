import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { alertFilterNames } from '../../../../src/contract/alert-types/alert-type.ts';
import type { AlertCount, AlertFilterName, AlertGroup } from '../../../../src/contract/alert-types/alert-type.ts';
import { environmentsQuery } from '../../api/environments.ts';
import { evaluatorsQuery } from '../../api/evaluators.ts';
import { guardrailsQuery } from '../../api/guardrails.ts';
import { overviewQuery } from '../../api/models.ts';
import type { AlertType, AlertWindow } from '../../api/parts.ts';
import type { AlertRule } from '../../api/service.ts';
import { alertTypeNames, alertTypes, alertWindowNames } from '../../content/alert-words.ts';
import { Input, Select } from '../../design/field.tsx';
import { ListInput } from '../../design/list-input.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { ExpressionField } from '../../frame/expression-field.tsx';
import { useProject } from '../../frame/project-context.ts';
import type { FieldsProps } from './form-values.ts';

const filterLabels: Readonly<Record<AlertFilterName, string>> = {
  models: 'Models',
  agents: 'Agents',
  operations: 'Operations',
  evaluators: 'Evaluators',
  guardrails: 'Guardrails',
};
const groupLabels: Readonly<Record<AlertGroup, string>> = { model: 'Model', agent: 'Agent', environment: 'Environment' };
const countLabels: Readonly<Record<AlertCount, string>> = {
  triggered: 'Checks that triggered a guardrail',
  failed: 'Checks in which a guardrail could not run',
};
const noDataLabels: Readonly<Record<AlertRule['noData'], string>> = {
  keep: 'Leave as is',
  resolve: 'Resolve the incident',
  fire: 'Fire',
};

/** The name, the type and when it fires. */
export function ConditionFields(props: FieldsProps): ReactNode {
  const { form, onChange, errorAt, disabled } = props;
  const takes = alertTypes[form.type];
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Input
          label="Name"
          value={form.name}
          disabled={disabled}
          onChange={(event) => onChange({ name: event.target.value })}
          error={errorAt('/name')}
        />
        <Select<AlertType>
          label="Type"
          hint={takes.hint}
          value={form.type}
          disabled={disabled}
          options={alertTypeNames.map((value) => ({ value, label: alertTypes[value].title }))}
          onValue={(type) => onChange({ type, threshold: '', recoveryThreshold: '', count: 'triggered', minCount: '' })}
          error={errorAt('/type')}
        />
        {takes.threshold !== null && (
          <Input
            label={takes.threshold}
            hint={`Fires when the value is ${takes.fires} the threshold.`}
            inputMode="decimal"
            value={form.threshold}
            disabled={disabled}
            onChange={(event) => onChange({ threshold: event.target.value })}
            error={errorAt('/threshold')}
          />
        )}
        {takes.counts && (
          <Select<AlertCount>
            label="Count"
            value={form.count}
            disabled={disabled}
            options={takes.counts.map((value) => ({ value, label: countLabels[value] }))}
            onValue={(count) => onChange({ count })}
            error={errorAt('/count')}
          />
        )}
        {takes.window && (
          <Select<AlertWindow>
            label="Window"
            value={form.window}
            disabled={disabled}
            options={alertWindowNames.map((value) => ({ value, label: `Last ${value}` }))}
            onValue={(window) => onChange({ window })}
            error={errorAt('/window')}
          />
        )}
      </div>
      <ScopeFields {...props} />
    </>
  );
}

/** What the rule looks at. */
function ScopeFields({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  const takes = alertTypes[form.type];
  const { projectId } = useProject();
  const { data } = useInfiniteQuery({ ...environmentsQuery(projectId), enabled: takes.environment });
  const suggestions = useSuggestions(form.type);
  if (takes.filters.length === 0) return null;
  const known = data?.pages.flatMap((page) => page.environments.map(({ name }) => name)) ?? [];
  const names = [...new Set([...known, ...(form.environment === '' ? [] : [form.environment])])];
  return (
    <div className="grid gap-3 border-t border-line pt-3 sm:grid-cols-2">
      <Select<string>
        label="Environment"
        value={form.environment}
        disabled={disabled}
        options={[{ value: '', label: 'All' }, ...names.map((value) => ({ value, label: visibleText(value) }))]}
        onValue={(environment) => onChange({ environment })}
        error={errorAt('/environment')}
      />
      <Select<AlertGroup | ''>
        label="Group by"
        hint="Evaluates each separately, at most 50, with an incident for each."
        value={takes.groups.find((group) => group === form.groupBy) ?? ''}
        disabled={disabled}
        options={[{ value: '', label: 'None' }, ...takes.groups.map((value) => ({ value, label: groupLabels[value] }))]}
        onValue={(groupBy) => onChange({ groupBy })}
        error={errorAt('/groupBy')}
      />
      {alertFilterNames
        .filter((name) => takes.filters.includes(name))
        .map((name) => (
          <ListInput
            key={name}
            label={filterLabels[name]}
            placeholder="Any (Enter to add)"
            values={form.filter[name]}
            disabled={disabled}
            onValues={(values) => onChange({ filter: { ...form.filter, [name]: values } })}
            suggestions={suggestions[name] ?? []}
            error={errorAt(`/filter/${name}`)}
          />
        ))}
      {takes.takesExpression && (
        <div className="sm:col-span-2">
          <ExpressionField
            on="spans"
            label="Filter"
            hint="Calls count whose span meets it."
            value={form.expression}
            onValue={(expression) => onChange({ expression })}
            error={errorAt('/filter/expression')}
            disabled={disabled}
          />
        </div>
      )}
    </div>
  );
}

/** The names in the project that a type's filters can have. */
function useSuggestions(type: AlertType): Partial<Record<AlertFilterName, string[]>> {
  const { projectId } = useProject();
  const { filters } = alertTypes[type];
  const overview = useQuery({ ...overviewQuery(projectId, { range: '30d' }), enabled: filters.includes('models') });
  const evaluators = useQuery({ ...evaluatorsQuery(projectId), enabled: filters.includes('evaluators') });
  const guardrails = useQuery({ ...guardrailsQuery(projectId), enabled: filters.includes('guardrails') });
  return {
    models: overview.data?.models.map(({ model }) => model) ?? [],
    agents: overview.data?.agents.map(({ agent_name: name }) => name) ?? [],
    evaluators: evaluators.data?.evaluators.map(({ slug }) => slug) ?? [],
    guardrails: guardrails.data?.guardrails.map(({ slug }) => slug) ?? [],
  };
}

/** Fields of the minimum count, the duration, the recovery threshold and repeated notifications. */
export function FiringFields({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  const takes = alertTypes[form.type];
  if (!takes.isEvaluated) return null;
  const field = (name: 'minCount' | 'forMinutes' | 'recoveryThreshold' | 'renotifyMinutes') => ({
    value: form[name],
    disabled,
    error: errorAt(`/${name}`),
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Input
        label="Fires after (minutes)"
        hint="How long the condition must hold."
        inputMode="numeric"
        {...field('forMinutes')}
      />
      {takes.minCount !== null && (
        <Input
          label={`Minimum ${takes.minCount.noun}`}
          hint={`Fewer in the window are no data. Default: ${takes.minCount.default}.`}
          inputMode="numeric"
          placeholder={String(takes.minCount.default)}
          {...field('minCount')}
        />
      )}
      {takes.threshold !== null && (
        <Input
          label={takes.threshold.replace('Threshold', 'Recovery threshold')}
          hint="The value must return past this threshold to resolve the incident. Defaults to the threshold."
          inputMode="decimal"
          placeholder={form.threshold}
          {...field('recoveryThreshold')}
        />
      )}
      <Select<AlertRule['noData']>
        label="If there is no data"
        value={form.noData}
        disabled={disabled}
        options={(Object.keys(noDataLabels) as Array<AlertRule['noData']>).map((value) => ({
          value,
          label: noDataLabels[value],
        }))}
        onValue={(noData) => onChange({ noData })}
        error={errorAt('/noData')}
      />
      <Input
        label="Repeat every (minutes)"
        hint="Repeats the notification while the incident is open. Leave empty to notify once."
        inputMode="numeric"
        {...field('renotifyMinutes')}
      />
    </div>
  );
}
