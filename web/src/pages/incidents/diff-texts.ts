import type { FixProposal } from '../../api/service.ts';

/** Both texts of a diff: the revised version, and the proposed one. */
export function diffTexts(diff: FixProposal['diff']): [before: string, after: string] {
  const textOf = (left: 'add' | 'remove') =>
    diff
      .filter(({ op }) => op !== left)
      .map(({ text }) => text)
      .join('\n');
  return [textOf('add'), textOf('remove')];
}
