import { same } from '../../format/edited-values.ts';
import type { Scenario, ScenarioBody } from '../../api/service.ts';
import { jsonText } from '../../content/json-text.ts';

/** The values of the scenario form, as typed: those of both targets. */
export interface ScenarioForm {
  name: string;
  description: string;
  type: 'http' | 'prompt';
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `Name: value`, one a line. */
  headers: string;
  /** `Name: value`, one a line. */
  secrets: string;
  /** JSON. */
  body: string;
  outputPath: string;
  timeoutMs: string;
  promptName: string;
  label: string;
  connection: string;
  /** Empty: that of the connection. */
  model: string;
  datasetId: string;
  evaluators: readonly string[];
  referenceMatch: '' | 'exact' | 'fuzzy';
}

/** The default values of a new scenario. */
export const emptyScenario: ScenarioForm = {
  name: '',
  description: '',
  type: 'http',
  url: '',
  method: 'POST',
  headers: '',
  secrets: '',
  body: '{"input": "{{input}}"}',
  outputPath: '/output',
  timeoutMs: '30000',
  promptName: '',
  label: 'production',
  connection: '',
  model: '',
  datasetId: '',
  evaluators: [],
  referenceMatch: '',
};

/** The form values of a scenario. */
export function formOf(scenario: Scenario): ScenarioForm {
  const { target } = scenario;
  const shared = {
    ...emptyScenario,
    name: scenario.name,
    description: scenario.description ?? '',
    datasetId: scenario.datasetId,
    evaluators: scenario.evaluators,
    referenceMatch: scenario.referenceMatch?.mode ?? '',
  } as const;
  if (target.type === 'prompt') return { ...shared, ...target, model: target.model ?? '' };
  return {
    ...shared,
    ...target,
    headers: linesOf(target.headers),
    secrets: linesOf(target.secrets ?? {}),
    body: jsonText(target.body),
    timeoutMs: String(target.timeoutMs),
  };
}

/** Why the body cannot be sent; null if it can. */
export function bodyProblem({ type, body }: ScenarioForm): string | null {
  if (type === 'prompt') return null;
  try {
    JSON.parse(body);
    return null;
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : 'syntax error'}`;
  }
}

/** The request body of the form. A line of the headers without a colon is a name without a value. Errors: SyntaxError (the body). */
export function fieldsOf(form: ScenarioForm): ScenarioBody {
  return {
    name: form.name.trim(),
    description: form.description.trim() === '' ? null : form.description,
    target: targetOf(form),
    datasetId: form.datasetId,
    evaluators: [...form.evaluators],
    referenceMatch: form.referenceMatch === '' ? null : { mode: form.referenceMatch },
  };
}

/**
 * The edited fields of the form, so that concurrent changes by others are kept. Errors: SyntaxError (the body).
 *
 * @param filled the values before editing
 */
export function changedFields(form: ScenarioForm, filled: ScenarioForm): Partial<ScenarioBody> {
  const before = fieldsOf(filled);
  const entries = Object.entries(fieldsOf(form));
  return Object.fromEntries(entries.filter(([name, value]) => !same(value, before[name as keyof typeof before])));
}

function targetOf(form: ScenarioForm): ScenarioBody['target'] {
  if (form.type === 'prompt') {
    const { type, promptName, label, connection } = form;
    const model = form.model.trim();
    return { type, promptName: promptName.trim(), label: label.trim(), connection, ...(model === '' ? {} : { model }) };
  }
  const secrets = valuesOf(form.secrets);
  return {
    type: 'http',
    url: form.url,
    method: form.method,
    headers: valuesOf(form.headers),
    secrets,
    body: JSON.parse(form.body) as unknown,
    outputPath: form.outputPath,
    timeoutMs: Number(form.timeoutMs),
  };
}

function linesOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function valuesOf(lines: string): Record<string, string> {
  const entries = lines.split('\n').flatMap((line) => {
    const [name = '', ...value] = line.split(':');
    return line.trim() === '' ? [] : [[name.trim(), value.join(':').trim()] as const];
  });
  return Object.fromEntries(entries);
}
