import type { Service } from '../support/service.ts';
import { hostilePrompt } from './special-prompts.ts';
import { hostileName } from './special-traces.ts';

const environment = (name: string, description: string) => `apiVersion: spanwise/v1
kind: Environment
metadata: {name: ${name}}
spec: {description: ${description}}
`;

/** A guardrail for card numbers in answers. */
export const cardGuardrail = (action: string, more = '') => `# Card numbers never leave.
apiVersion: spanwise/v1
kind: Guardrail
metadata: {name: no-card-numbers}
spec:
  displayName: No card numbers
  type: pii
  stage: output
  action: ${action}
  config: {entities: [payment_card]}
${more}`;

export const environmentsFile = { path: 'environments.yaml', content: environment('policy-lab', 'For tests of policies') };

interface Caller {
  cookie: string;
  projectId: string;
}

/** Calls a route of the policies of a project. @throws {Error} unless it answers with 2xx */
export async function policyCall(service: Service, { cookie, projectId }: Caller, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${service.url}/v1/projects/${projectId}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Plans and applies files. */
export async function applyFiles(
  service: Service,
  caller: Caller,
  files: ReadonlyArray<{ path: string; content: string }>,
): Promise<void> {
  const { planId } = (await policyCall(service, caller, '/policies/plan', { files })) as { planId: string };
  await policyCall(service, caller, '/policies/apply', { planId, files, allowRemoval: true });
}

/** Policies that code manages in two revisions, one of them detached. */
export async function specialPolicies(service: Service, caller: Caller): Promise<void> {
  const cards = (action: string) => cardGuardrail(action).replace('no-card-numbers', 'policy-cards');
  const keys = cards('block').replace('policy-cards', 'policy-keys').replace('displayName: No card numbers', 'priority: 20');
  // A path takes no control characters, and a part of it no slash.
  const hostile = {
    path: `${hostilePrompt.replaceAll('/', '')}.yaml`,
    content: `# ${hostilePrompt}\n${environment('hostile', JSON.stringify(hostileName))}`,
  };
  await applyFiles(service, caller, [environmentsFile, { path: 'guardrails/cards.yaml', content: cards('flag') }]);
  await applyFiles(service, caller, [
    environmentsFile,
    hostile,
    { path: 'guardrails/cards.yaml', content: cards('redact') },
    { path: 'guardrails/keys.yaml', content: keys },
  ]);
  const { policies } = (await policyCall(service, caller, '/policies')) as { policies: Array<{ id: string; name: string }> };
  const detached = policies.find(({ name }) => name === 'policy-keys');
  await policyCall(service, caller, `/policies/${detached?.id ?? ''}/detach`, {});
}
