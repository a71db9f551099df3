import type { ChangeKind } from '../api/parts.ts';
import type { Change } from '../api/service.ts';

export const changeKindLabels: Readonly<Record<ChangeKind, string>> = {
  deploy: 'Deploy',
  config: 'Configuration',
  prompt: 'Prompt',
  model: 'Model',
};

const shortCommit = 8;

/** A change in one line: `Deploy checkout 2.4.1`, or what the service says about a change of its own. */
export function changeTitle(
  change: Pick<Change, 'kind' | 'service' | 'version' | 'commitSha' | 'description' | 'source'>,
): string {
  const { kind, service, version, commitSha, description, source } = change;
  const [firstLine = ''] = (description ?? '').trim().split('\n', 1);
  if (source === 'automatic' && firstLine !== '') return firstLine;
  const what = [service, version ?? commitSha?.slice(0, shortCommit)].filter((part) => part !== null && part !== undefined);
  if (what.length > 0) return `${changeKindLabels[kind]} ${what.join(' ')}`;
  return firstLine === '' ? changeKindLabels[kind] : firstLine;
}
