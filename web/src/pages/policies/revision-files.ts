import type { PolicyFile } from '../../api/policies.ts';

/** A file that differs between two revisions. */
export interface ChangedFile {
  path: string;
  kind: 'added' | 'removed' | 'changed';
  before: string;
  after: string;
}

export interface FileChanges {
  changed: readonly ChangedFile[];
  /** Number of equal files. */
  same: number;
  /** Whether the revisions share no path: one holds files as they were applied, the other a file for each policy. */
  rearranged: boolean;
}

/** Compares the files of two revisions by path. */
export function changedFiles(before: readonly PolicyFile[], after: readonly PolicyFile[]): FileChanges {
  const left = new Map(before.map(({ path, content }) => [path, content]));
  const right = new Map(after.map(({ path, content }) => [path, content]));
  const paths = [...new Set([...left.keys(), ...right.keys()])].sort();
  const changed = paths.flatMap((path): ChangedFile[] => {
    const [old, now] = [left.get(path), right.get(path)];
    if (old === now) return [];
    const kind = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    return [{ path, kind, before: old ?? '', after: now ?? '' }];
  });
  return {
    changed,
    same: paths.length - changed.length,
    rearranged: left.size > 0 && right.size > 0 && paths.length === left.size + right.size,
  };
}
