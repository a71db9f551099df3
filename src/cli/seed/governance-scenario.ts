import type { GuardrailBody } from '../../contract/guardrails.ts';
import type { PolicyFile } from '../../contract/policies.ts';

/** Names of the environments that have a record. Spans of the demonstration also name `preview`, which has none. */
export const environmentNames = ['production', 'staging'] as const;

const environmentsFile = `# What runs where.
apiVersion: spanwise/v1
kind: Environment
metadata: {name: production}
spec: {description: What customers use}
---
apiVersion: spanwise/v1
kind: Environment
metadata: {name: staging}
spec: {description: "The next release, with test accounts"}
`;

const cardNumbersFile = (action: 'flag' | 'redact') => `apiVersion: spanwise/v1
kind: Guardrail
metadata: {name: no-card-numbers}
spec:
  displayName: No card numbers in answers
  type: pii
  stage: output
  action: ${action}
  environments: [production]
  priority: 10
  config: {entities: [payment_card, iban]}
`;

/** Policy files as they are applied, one after the other: the guardrail of code is tried with `flag` first. */
export const appliedFiles: readonly PolicyFile[][] = (['flag', 'redact'] as const).map((action) => [
  { path: 'environments.yaml', content: environmentsFile },
  { path: 'guardrails/no-card-numbers.yaml', content: cardNumbersFile(action) },
]);

/** A guardrail and how often it triggers. */
export interface DemonstrationGuardrail {
  body: GuardrailBody;
  /** It comes from {@link appliedFiles}. */
  isCode?: true;
  /** Share of its checks. */
  triggerRate: number;
  /** Share of its checks that could not run. */
  failureRate: number;
  /** Median milliseconds. */
  latencyMs: number;
}

const defaults = { stage: 'input', environments: null, priority: 100, enabled: true, onError: 'block', config: {} } as const;

export const guardrails: readonly DemonstrationGuardrail[] = [
  {
    body: {
      ...defaults,
      slug: 'no-card-numbers',
      name: 'No card numbers in answers',
      type: 'pii',
      stage: 'output',
      action: 'redact',
      config: { entities: ['payment_card', 'iban'] },
      environments: ['production'],
      priority: 10,
    },
    isCode: true,
    triggerRate: 0.012,
    failureRate: 0,
    latencyMs: 0.4,
  },
  {
    body: { ...defaults, slug: 'no-secrets', name: 'No keys and tokens', type: 'secrets', stage: 'both', priority: 20 },
    triggerRate: 0.003,
    failureRate: 0,
    latencyMs: 0.3,
  },
  {
    body: { ...defaults, slug: 'prompt-injection', name: 'Prompt injection', type: 'prompt_injection', priority: 30 },
    triggerRate: 0.021,
    failureRate: 0,
    latencyMs: 0.8,
  },
  {
    body: {
      ...defaults,
      slug: 'competitors',
      name: 'Names of competitors',
      type: 'blocklist',
      stage: 'output',
      action: 'flag',
      config: { terms: ['Globex', 'Initech', 'Umbrella'] },
    },
    triggerRate: 0.008,
    failureRate: 0,
    latencyMs: 0.2,
  },
  {
    body: {
      ...defaults,
      slug: 'short-questions',
      name: 'Questions of a reasonable length',
      type: 'max_length',
      config: { maxCharacters: 8_000 },
      environments: ['production', 'staging'],
      onError: 'allow',
    },
    triggerRate: 0.004,
    failureRate: 0.001,
    latencyMs: 0.05,
  },
];
