import { isDeepStrictEqual } from 'node:util';
import { isSameContent } from './prompt-file.ts';
import type { PromptContent } from './prompt-file.ts';
import type { LocalPrompt } from './prompt-folder.ts';
import type { StoredPrompt } from './prompt-service.ts';

/** What pushing a file does. */
export interface PlannedPush {
  local: LocalPrompt;
  stored: StoredPrompt | null;
  /** `update`: labels, tags or folder alone; `conflict`: the service has another version than the file was written from. */
  action: 'create' | 'version' | 'update' | 'none' | 'conflict';
  /** Parts that differ. */
  changes: Array<'type' | 'prompt' | 'config' | 'labels' | 'tags' | 'folder'>;
  /** Labels that are put on the version. */
  labels: string[];
  /** Labels of the newest version that the file does not name: a label leaves a version only for another one. */
  keptLabels: string[];
}

/**
 * What pushing files does, in an order in which a prompt comes after those that it refers to.
 *
 * @param force also files that were written from another version than the newest
 */
export function planPush(locals: readonly LocalPrompt[], stored: readonly StoredPrompt[], force: boolean): PlannedPush[] {
  const byName = new Map(stored.map((one) => [one.name, one]));
  return inOrderOfReferences(locals).map((local) => planned(local, byName.get(local.name) ?? null, force));
}

function planned(local: LocalPrompt, stored: StoredPrompt | null, force: boolean): PlannedPush {
  if (!stored) return { local, stored, action: 'create', changes: [], labels: local.labels, keptLabels: [] };
  const isSame = isSameContent(local, stored);
  const parts = (['type', 'prompt', 'config'] as const).filter((part) => !isDeepStrictEqual(local[part], stored[part]));
  const labels = local.labels.filter((label) => !stored.labels.includes(label));
  const changes: PlannedPush['changes'] = [
    ...(isSame ? [] : parts),
    ...(labels.length > 0 ? (['labels'] as const) : []),
    ...(local.tags === undefined || isDeepStrictEqual(local.tags, stored.tags) ? [] : (['tags'] as const)),
    ...(local.folder === undefined || local.folder === stored.folder ? [] : (['folder'] as const)),
  ];
  const keptLabels = isSame ? stored.labels.filter((label) => !local.labels.includes(label)) : [];
  const action = changes.length === 0 ? 'none' : isSame ? 'update' : 'version';
  const isConflict = action !== 'none' && local.version !== stored.version && !force;
  return { local, stored, action: isConflict ? 'conflict' : action, changes, labels: isSame ? labels : local.labels, keptLabels };
}

/** Depth first; in a cycle, which the service refuses, as given. */
function inOrderOfReferences(locals: readonly LocalPrompt[]): LocalPrompt[] {
  const byName = new Map(locals.map((local) => [local.name, local]));
  const ordered = new Set<LocalPrompt>();
  const seen = new Set<LocalPrompt>();
  for (const root of locals) {
    const stack = [root];
    while (stack.length > 0) {
      const local = stack.at(-1) ?? root;
      const waiting = seen.has(local) ? [] : referencesOf(local).flatMap((name) => byName.get(name) ?? []);
      seen.add(local);
      const unseen = waiting.filter((one) => !seen.has(one));
      if (unseen.length > 0) stack.push(...unseen);
      else {
        stack.pop();
        ordered.add(local);
      }
    }
  }
  return [...ordered];
}

/** Names that a prompt may refer to as `{{> name }}`, `{{> name@label }}` or `{{> name#3 }}`. */
function referencesOf({ prompt }: PromptContent): string[] {
  const text = typeof prompt === 'string' ? prompt : prompt.flatMap(stringsIn).join('\n');
  return text
    .split('{{>')
    .slice(1)
    .flatMap((part) => {
      const end = part.indexOf('}}');
      if (end < 0) return [];
      const target = part.slice(0, end).trim();
      return [
        target,
        ...['@', '#'].flatMap((mark) =>
          target.lastIndexOf(mark) > 0 ? [target.slice(0, target.lastIndexOf(mark)).trimEnd()] : [],
        ),
      ];
    });
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
