import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { environmentsQuery } from '../../api/environments.ts';
import type { GuardrailAction, GuardrailStage, GuardrailTypeName } from '../../api/parts.ts';
import { actionLabels, guardrailTypeLabels, guardrailTypeNames, stageLabels } from '../../content/guardrail-labels.ts';
import { jsonText } from '../../content/json-text.ts';
import { CheckList } from '../../design/check-list.tsx';
import { Input, Select } from '../../design/field.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { actionFor, actionsOf } from './config-labels.ts';
import type { FieldsProps } from './form-values.ts';

const stages = Object.keys(stageLabels) as GuardrailStage[];
const onErrorOptions = [
  { value: 'block', label: 'Block the text' },
  { value: 'allow', label: 'Allow the text' },
] as const;

/** The slug, the name and the type. @param isNew the slug can still be chosen */
export function IdentityFields({ form, onChange, errorAt, disabled, isNew }: FieldsProps & { isNew: boolean }): ReactNode {
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Input
          label="Slug"
          hint={isNew ? "Identifier in code, e.g. no-card-numbers. Can't be changed later." : "Can't be changed."}
          value={form.slug}
          disabled={disabled || !isNew}
          spellCheck={false}
          onChange={(event) => onChange({ slug: event.target.value })}
          error={errorAt('/slug')}
        />
        <Input
          label="Name"
          hint="Display name. Defaults to the slug."
          value={form.name}
          disabled={disabled}
          onChange={(event) => onChange({ name: event.target.value })}
          error={errorAt('/name')}
        />
      </div>
      <Select<GuardrailTypeName>
        label="Type"
        hint={guardrailTypeLabels[form.type].hint}
        value={form.type}
        disabled={disabled}
        options={guardrailTypeNames.map((value) => ({ value, label: guardrailTypeLabels[value].title }))}
        onValue={(type) =>
          onChange({ type, action: actionFor(type, form.action), config: jsonText(guardrailTypeLabels[type].example) })
        }
        error={errorAt('/type')}
      />
    </>
  );
}

/** What the guardrail looks at, and what it does. */
export function ScopeFields({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select<GuardrailStage>
          label="Stage"
          hint={stageLabels[form.stage].hint}
          value={form.stage}
          disabled={disabled}
          options={stages.map((value) => ({ value, label: stageLabels[value].title }))}
          onValue={(stage) => onChange({ stage })}
          error={errorAt('/stage')}
        />
        <Select<GuardrailAction>
          label="Action"
          hint={actionLabels[form.action].hint}
          value={form.action}
          disabled={disabled}
          options={actionsOf(form.type).map((value) => ({ value, label: actionLabels[value].title }))}
          onValue={(action) => onChange({ action })}
          error={errorAt('/action')}
        />
        <Select
          label="On failure"
          hint="If the guardrail can't run, for example because a judge doesn't answer."
          value={form.onError}
          disabled={disabled}
          options={onErrorOptions}
          onValue={(onError) => onChange({ onError })}
          error={errorAt('/onError')}
        />
        <Input
          label="Priority"
          hint="Lower numbers run first."
          inputMode="numeric"
          value={form.priority}
          disabled={disabled}
          onChange={(event) => onChange({ priority: event.target.value })}
          error={errorAt('/priority')}
        />
      </div>
      <EnvironmentFields {...{ form, onChange, errorAt, disabled }} />
    </>
  );
}

function EnvironmentFields({ form, onChange, errorAt, disabled }: Omit<FieldsProps, 'filled'>): ReactNode {
  const { at, projectId } = useProject();
  const { data } = useInfiniteQuery(environmentsQuery(projectId));
  const known = data?.pages.flatMap((page) => page.environments.map(({ name }) => name)) ?? [];
  const names = [...new Set([...known, ...form.environments])];
  return (
    <>
      <Select
        label="Environments"
        className="sm:max-w-[calc(50%-0.375rem)]"
        value={form.everywhere ? 'all' : 'selected'}
        disabled={disabled}
        options={[
          { value: 'all', label: 'All environments' },
          { value: 'selected', label: 'Selected environments' },
        ]}
        onValue={(value) => onChange({ everywhere: value === 'all' })}
        error={form.everywhere ? errorAt('/environments') : null}
      />
      {!form.everywhere && (
        <CheckList
          label="Selected environments"
          options={names.map((value) => ({ value, label: value }))}
          values={form.environments}
          disabled={disabled}
          onValues={(environments) => onChange({ environments })}
          error={errorAt('/environments')}
          hint={
            <>
              {data && names.length === 0 ? 'No environments. ' : 'Runs in checks for these environments only. '}
              <Link {...pages.environments(at)} className="text-accent hover:underline">
                Environments
              </Link>
            </>
          }
        />
      )}
    </>
  );
}
