import { structuredPatch } from 'diff';
import { visible } from '../terminal/terminal.ts';
import type { Paint } from '../terminal/terminal.ts';
import type { PlannedPush } from './plan-push.ts';
import { promptFileText } from './prompt-file.ts';

/** Milliseconds for one difference. */
const maxDiffMs = 500;
/** Lines of one difference that are shown. */
const maxLines = 200;

/** A sentence about what pushing a file does; nothing where it does nothing. */
export function pushLine({ local, stored, action, changes, labels, keptLabels }: PlannedPush, paint: Paint): string[] {
  const name = visible(local.name);
  const moves = labels.map((label) => {
    const from = stored?.placed.get(label);
    return from === undefined ? `label ${visible(label)}` : `label ${visible(label)} from version ${from}`;
  });
  const kept = keptLabels.map((label) => `  label ${visible(label)} stays: a label leaves a version only for another one`);
  if (action === 'none') return kept.length > 0 ? [`= ${name}`, ...kept] : [];
  if (action === 'create') return [paint('green', `+ ${name}: new${suffix(moves)}`)];
  if (action === 'conflict') {
    const base = local.version === null ? 'names no version' : `was written from version ${local.version}`;
    return [paint('red', `! ${name}: ${visible(local.file)} ${base}, and the service has version ${stored?.version ?? 0}`)];
  }
  const others = changes.filter((change) => change !== 'labels');
  const what = action === 'version' ? `a version after ${stored?.version ?? 0} (${others.join(', ')})` : others.join(', ');
  return [paint('yellow', `~ ${name}: ${[...(what === '' ? [] : [what]), ...moves].join('; ')}`), ...kept];
}

/** The difference between the service's version and the file, as `diff -u` shows it. */
export function differenceLines({ local, stored }: PlannedPush, paint: Paint): string[] {
  if (!stored) return [];
  const text = (prompt: Parameters<typeof promptFileText>[0]) => promptFileText(prompt).replace(/^checksum: .*\n/m, '');
  const { version } = stored;
  const after = text({
    ...local,
    version,
    tags: local.tags ?? stored.tags,
    folder: local.folder === undefined ? stored.folder : local.folder,
  });
  const patch = structuredPatch('', '', text(stored), after, '', '', { context: 2, timeout: maxDiffMs });
  if (!patch) return ['    too different to show'];
  const lines = patch.hunks.flatMap(({ lines: own }) => ['@@', ...own]);
  const shown = lines.slice(0, maxLines).map((line) => {
    const safe = `    ${line.slice(0, 1)}${visible(line.slice(1))}`;
    if (line.startsWith('+')) return paint('green', safe);
    return line.startsWith('-') ? paint('red', safe) : paint('dim', safe);
  });
  return lines.length > maxLines ? [...shown, `    and ${lines.length - maxLines} more lines`] : shown;
}

function suffix(parts: readonly string[]): string {
  return parts.length === 0 ? '' : `; ${parts.join('; ')}`;
}
