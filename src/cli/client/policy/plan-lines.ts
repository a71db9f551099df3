import type { PlannedChange, PolicyPlan, PolicySummary } from '../../../contract/policies.ts';
import { visible } from '../terminal/terminal.ts';
import type { Paint } from '../terminal/terminal.ts';

/** Longest values that stand on one line, as JSON. */
const shortValue = 50;
/** Longest part of a value that is shown. */
const longestValue = 2_000;

const marks = { create: '+', update: '~', remove: '-', none: '=' } as const;
const colors = { create: 'green', update: 'yellow', remove: 'red', none: 'dim' } as const;

/** Whether applying changes a policy: also one that code takes over from the dashboard as it is. */
export function hasChanges({ changes }: Pick<PolicyPlan, 'changes'>): boolean {
  return changes.some(({ action, adopt }) => action !== 'none' || adopt);
}

/** A plan as a diff: what is created, updated and removed, with each field, and a summary. */
export function planLines({ changes, summary }: Pick<PolicyPlan, 'changes' | 'summary'>, paint: Paint): string[] {
  const shown = changes.filter(({ action, adopt, detached }) => action !== 'none' || adopt || detached);
  const lines = shown.flatMap((change) => changeLines(change, paint));
  return [...lines, ...(shown.length > 0 ? [''] : []), summaryLine(summary, hasChanges({ changes }))];
}

function changeLines({ action, kind, name, path, adopt, detached, fields }: PlannedChange, paint: Paint): string[] {
  const notes = [
    ...(path === null ? [] : [visible(path)]),
    ...(adopt ? ['taken over from the dashboard'] : []),
    ...(detached ? ['detached in the dashboard: attach it before applying'] : []),
  ];
  const title = paint(colors[action], `${marks[action]} ${kind} ${visible(name)}`);
  return [`${title}${notes.length > 0 ? paint('dim', `  (${notes.join('; ')})`) : ''}`, ...fields.flatMap(fieldLines(paint))];
}

function fieldLines(paint: Paint) {
  return ({ path, before, after }: PlannedChange['fields'][number]): string[] => {
    const [old, wanted] = [shownValue(before), shownValue(after)];
    if (old.length <= shortValue && wanted.length <= shortValue) {
      return [`    ${paint('yellow', '~')} ${visible(path)}: ${paint('red', old)} -> ${paint('green', wanted)}`];
    }
    return [
      `    ${paint('yellow', '~')} ${visible(path)}:`,
      `        ${paint('red', `- ${old}`)}`,
      `        ${paint('green', `+ ${wanted}`)}`,
    ];
  };
}

function shownValue(value: unknown): string {
  const text = visible(JSON.stringify(value ?? null));
  return text.length > longestValue ? `${text.slice(0, longestValue)}… (${text.length} characters)` : text;
}

function summaryLine({ create, update, remove, none }: PolicySummary, changes: boolean): string {
  if (!changes) return `Nothing to change: ${none} unchanged.`;
  return `Plan: ${create} to create, ${update} to update, ${remove} to remove, ${none} unchanged.`;
}
