import { policyLimits } from '../../../contract/limits.ts';
import type { PolicyFile } from '../../../contract/policies.ts';
import type { Specification } from '../../policy-revisions/index.ts';
import { renderPolicy } from './render-policy.ts';

const folders = { Environment: 'environments', Guardrail: 'guardrails' };
/** Environments of a file where one file a policy would be more files than can be planned. */
const environmentsPerFile = 20;

/** Policies as files, one each; where these would be too many, several environments share one. @param others paths of other files */
export function renderedFiles(policies: readonly Specification[], others: readonly string[]): PolicyFile[] {
  const taken = new Set(others);
  const grouped = policies.length + others.length > policyLimits.files;
  const environments = policies.filter(({ kind }) => kind === 'Environment');
  const alone = grouped ? policies.filter(({ kind }) => kind !== 'Environment') : policies;
  const files = alone.map((policy) => ({
    path: freePath(`${folders[policy.kind]}/${policy.name}`, taken),
    content: renderPolicy(policy),
  }));
  for (let start = 0; grouped && start < environments.length; start += environmentsPerFile) {
    const path = freePath(`${folders.Environment}/part-${1 + start / environmentsPerFile}`, taken);
    files.push({
      path,
      content: environments
        .slice(start, start + environmentsPerFile)
        .map(renderPolicy)
        .join('---\n'),
    });
  }
  return files;
}

function freePath(name: string, taken: Set<string>): string {
  let path = `${name}.yaml`;
  for (let number = 2; taken.has(path); number += 1) path = `${name}-${number}.yaml`;
  taken.add(path);
  return path;
}
