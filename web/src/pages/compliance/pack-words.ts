import type { ControlStatus, PackCheck } from '../../api/parts.ts';
import type { Tone } from '../../design/badge.tsx';

export const statusTones: Readonly<Record<ControlStatus, Tone>> = { evidenced: 'good', partial: 'warn', none: 'neutral' };

export const statusMeanings: Readonly<Record<ControlStatus, string>> = {
  evidenced: 'Every kind of record that Spanwise has for this control holds records.',
  partial: 'Some kinds of records hold records, or records alone cannot show the whole control.',
  none: 'Spanwise holds nothing about this control in this range.',
};

export const checkTitles: Readonly<Record<PackCheck['name'], string>> = {
  content_hash: 'Content hash',
  signature: 'Signature',
  key: 'Key',
  audit_chain: 'Audit log',
};

/** How many controls have each status, such as `8 evidenced, 12 partial, 20 none`. */
export function statusCounts(controls: ReadonlyArray<{ status: ControlStatus }>): string {
  const count = (status: ControlStatus) => controls.filter((control) => control.status === status).length;
  return `${count('evidenced')} evidenced, ${count('partial')} partial, ${count('none')} none`;
}

/** A type of evidence as a title, such as `Access changes`. */
export function evidenceTitle(type: string): string {
  const words = type.replaceAll('_', ' ').replace('api ', 'API ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
