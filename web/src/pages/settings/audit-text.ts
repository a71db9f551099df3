import type { AuditEntry } from '../../api/service.ts';
import { countedExactly } from '../../format/number-format.ts';

type Detail = AuditEntry['detail'];

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** An entry on one line: the name of the object and the changed fields; the subject if the detail has neither. */
export function auditText({ kind, detail, subject }: Pick<AuditEntry, 'kind' | 'detail' | 'subject'>): string {
  if (kind === 'policy.applied')
    return [`Revision ${countOf(detail['revision'])}`, changesText(detail), filesText(detail)].join(' · ');
  const name =
    ['slug', 'name', 'dataset', 'model', 'email', 'address']
      .map((field) => textOf(detail[field]))
      .find((text) => text !== null) ?? null;
  if (name === null) return subject ?? '';
  if (kind === 'policy.attached' || kind === 'policy.detached') return `${textOf(detail['kind']) ?? 'Policy'} ${name}`;
  const changed = changedFields(detail);
  return changed === null ? name : `${name}: ${changed}`;
}

/** The fields that an update changed; null if the detail has none. One that was switched on or off is told by what it is now. */
export function changedFields(detail: Detail): string | null {
  const changed = listOf(detail['changed']).flatMap((field) =>
    field === 'enabled' && detail['enabled'] === false ? 'disabled' : (textOf(field) ?? []),
  );
  return changed.length === 0 ? null : changed.join(', ');
}

/** What applied files changed: `1 created, 2 removed`. */
export function changesText({ summary }: Detail): string {
  const counts = isObject(summary) ? summary : {};
  const words = { create: 'created', update: 'updated', remove: 'removed' };
  const parts = Object.entries(words).flatMap(([action, word]) =>
    countOf(counts[action]) > 0 ? [`${countOf(counts[action])} ${word}`] : [],
  );
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}

/** The policy revision that the recorded change made; null if it made none. */
export function revisionOf({ kind, detail }: Pick<AuditEntry, 'kind' | 'detail'>): number | null {
  const revision = countOf(detail['revision']);
  return revision > 0 && /^(?:policy|guardrail|environment)\./.test(kind) ? revision : null;
}

/** The applied files with their SHA-256, hexadecimal. */
export function appliedFiles({ kind, detail }: Pick<AuditEntry, 'kind' | 'detail'>): Array<{ path: string; sha256: string }> {
  if (kind !== 'policy.applied') return [];
  return listOf(detail['files']).flatMap((file) => {
    const path = isObject(file) ? textOf(file['path']) : null;
    return isObject(file) && path !== null ? [{ path, sha256: textOf(file['sha256']) ?? '' }] : [];
  });
}

function filesText({ files }: Detail): string {
  return countedExactly(listOf(files).length, 'file');
}
