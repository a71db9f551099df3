import { Database, Download, Gauge, Tags, Trash2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { SelectionAction } from '../../api/jobs.ts';
import type { Permission } from '../../api/parts.ts';

/** An action on ticked records, which opens a dialog. */
export interface BulkAction {
  type: 'addToDataset' | 'tags' | 'evaluate' | 'export' | 'delete';
  label: string;
  icon: LucideIcon;
  needs: Permission;
  /** Of traces alone. */
  ofTraces?: true;
}

export const bulkActions: readonly BulkAction[] = [
  { type: 'addToDataset', label: 'Add to dataset', icon: Database, needs: 'datasets:manage' },
  { type: 'tags', label: 'Tags', icon: Tags, needs: 'datasets:manage', ofTraces: true },
  { type: 'evaluate', label: 'Evaluate', icon: Gauge, needs: 'evaluations:manage' },
  { type: 'export', label: 'Export', icon: Download, needs: 'dashboard:read' },
  { type: 'delete', label: 'Delete', icon: Trash2, needs: 'traces:delete', ofTraces: true },
];

const names: Readonly<Record<string, string>> = {
  addToDataset: 'Add to dataset',
  addTags: 'Add tags',
  removeTags: 'Remove tags',
  evaluate: 'Evaluate',
  export: 'Export',
  delete: 'Delete',
  deleteUserData: 'Delete user data',
};

/** What a job does, in words. @param type of its record */
export function jobName(type: SelectionAction['type'] | (string & {})): string {
  return names[type] ?? type;
}
