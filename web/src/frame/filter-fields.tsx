import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { evaluatorsQuery } from '../api/evaluators.ts';
import { promptsNamedQuery } from '../api/prompts.ts';
import type { ListedTrace, TraceSummary } from '../api/parts.ts';
import { Input, Select } from '../design/field.tsx';
import { isNumeric } from '../trace-filters.ts';
import type { FilterName, FilterSearch } from '../trace-filters.ts';
import { useProject } from './project-context.ts';

interface DraftProps {
  draft: FilterSearch;
  onChange(change: FilterSearch): void;
}

interface SuggestingProps {
  label: string;
  value: string;
  suggestions: readonly string[];
  placeholder?: string;
  onText(text: string): void;
}

/** A text field with suggested values. */
function Suggesting({ label, value, suggestions, placeholder, onText }: SuggestingProps): ReactNode {
  const list = useId();
  return (
    <>
      <Input
        label={label}
        autoFocus
        placeholder={placeholder}
        value={value}
        list={list}
        spellCheck={false}
        onChange={(event) => onText(event.target.value)}
      />
      <datalist id={list}>
        {suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
    </>
  );
}

function useSlugs(): string[] {
  const { projectId } = useProject();
  const { data } = useQuery(evaluatorsQuery(projectId));
  return data?.evaluators.map(({ slug }) => slug) ?? [];
}

/** Filters by score: evaluator, bounds and verdict. */
export function ScoreFields({ draft, onChange }: DraftProps): ReactNode {
  const { evaluator = '', minScore = '', maxScore = '', passed = '' } = draft;
  const slugs = useSlugs();
  return (
    <>
      <Suggesting
        label="Evaluator"
        placeholder="Any"
        value={evaluator}
        suggestions={slugs}
        onText={(text) => onChange({ evaluator: text })}
      />
      <div className="grid grid-cols-2 gap-2">
        <Input
          label="Min score"
          type="number"
          step="any"
          value={minScore}
          onChange={(event) => onChange({ minScore: event.target.value })}
        />
        <Input
          label="Max score"
          type="number"
          step="any"
          value={maxScore}
          onChange={(event) => onChange({ maxScore: event.target.value })}
        />
      </div>
      <Select
        label="Verdict"
        value={passed}
        options={[
          { value: '', label: 'Any' },
          { value: 'true', label: 'Passed' },
          { value: 'false', label: 'Failed' },
        ]}
        onValue={(value) => onChange({ passed: value })}
      />
    </>
  );
}

/** Filters by prompt and version. */
export function PromptFields({ draft, onChange }: DraftProps): ReactNode {
  const { promptName = '', promptVersion = '' } = draft;
  const { projectId } = useProject();
  const { data } = useQuery(promptsNamedQuery(projectId, promptName));
  return (
    <>
      <Suggesting
        label="Prompt"
        value={promptName}
        suggestions={data?.prompts.map(({ name }) => name) ?? []}
        onText={(text) => onChange({ promptName: text })}
      />
      <Input
        label="Version"
        placeholder="Any"
        value={promptVersion}
        onChange={(event) => onChange({ promptVersion: event.target.value })}
      />
    </>
  );
}

/** The values of a field among the listed traces, most frequent first. */
function suggestionsOf(name: FilterName, traces: ReadonlyArray<TraceSummary & Partial<ListedTrace>>): string[] {
  const valuesOf: Partial<Record<FilterName, (trace: TraceSummary & Partial<ListedTrace>) => ReadonlyArray<string | null>>> = {
    model: ({ models }) => models,
    agent: ({ agents }) => agents,
    session: ({ sessionId }) => [sessionId],
    user: ({ userId }) => [userId],
    environment: ({ environment }) => [environment],
    release: ({ release }) => [release],
    name: ({ name }) => [name],
    errorCode: ({ error }) => [error?.code ?? null],
    tag: ({ tags }) => tags,
  };
  const counts = new Map<string, number>();
  for (const value of traces.flatMap((trace) => valuesOf[name]?.(trace) ?? []))
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.entries()]
    .toSorted((left, right) => right[1] - left[1])
    .slice(0, 50)
    .map(([value]) => value);
}

interface ValueFieldProps {
  name: FilterName;
  traces: ReadonlyArray<TraceSummary & Partial<ListedTrace>>;
  value: string;
  onChange(change: FilterSearch): void;
}

/** The value of a simple filter. */
export function ValueField({ name, traces, value, onChange }: ValueFieldProps): ReactNode {
  const slugs = useSlugs();
  const onText = (text: string) => onChange({ [name]: text });
  if (isNumeric(name)) {
    return (
      <Input
        label="Value"
        autoFocus
        type="number"
        min={0}
        step="any"
        value={value}
        onChange={(event) => onText(event.target.value)}
      />
    );
  }
  const suggestions = name === 'unscoredBy' ? slugs : suggestionsOf(name, traces);
  const placeholder = name === 'metadata' ? 'key:value' : undefined;
  return <Suggesting label="Value" {...{ value, suggestions, onText }} {...(placeholder && { placeholder })} />;
}
