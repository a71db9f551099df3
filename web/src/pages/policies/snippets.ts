const folder = 'policies';

/** Commands that name the project and write policy files into a folder: an example, or those that the project has. */
export function initSnippet(origin: string, projectId: string, hasPolicies: boolean): string {
  return `export SPANWISE_URL=${origin}
export SPANWISE_PROJECT=${projectId}
export SPANWISE_TOKEN=spwu_YOUR_TOKEN
spanwise policy ${hasPolicies ? 'pull' : 'init'} ${folder}`;
}

export const planSnippet = `spanwise policy validate ${folder}
spanwise policy plan ${folder} --replay 168`;

export const applySnippet = `spanwise policy apply ${folder}`;

/** Two policies in one file. */
export const exampleSnippet = `apiVersion: spanwise/v1
kind: Environment
metadata: {name: production}
spec: {description: What customers use}
---
apiVersion: spanwise/v1
kind: Guardrail
metadata: {name: no-card-numbers}
spec:
  displayName: No card numbers
  type: pii
  stage: output
  action: redact
  environments: [production]
  config: {entities: [payment_card]}
`;
