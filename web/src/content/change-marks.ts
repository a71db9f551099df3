import type { Change } from '../api/service.ts';
import type { ChartMark } from '../design/chart-model.ts';
import { formatMoment } from '../format/time-format.ts';
import type { Timeline } from '../range.ts';
import { changeTitle } from './change-words.ts';
import { hourMs } from '../../../src/contract/durations.ts';

/** The row of a timeline that has a moment, as {@link Timeline} names it. */
export function rowOf({ interval }: Timeline, at: string): string {
  return interval === 'day' ? at.slice(0, 10) : new Date(Math.floor(Date.parse(at) / hourMs) * hourMs).toISOString();
}

/** Changes by category of a chart; those without one are left out. */
function marksBy(
  changes: readonly Change[],
  categoriesOf: (change: Change) => readonly number[],
  open: (change: Change) => void,
): ChartMark[] {
  const oldestFirst = changes.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
  const placed = oldestFirst.flatMap((change) => categoriesOf(change).map((category) => ({ change, category })));
  return [...Map.groupBy(placed, ({ category }) => category)]
    .filter(([category]) => category >= 0)
    .toSorted(([left], [right]) => left - right)
    .map(([category, own]) => ({
      category,
      events: own.map(({ change }) => ({
        id: change.id,
        name: changeTitle(change),
        when: formatMoment(change.at),
        open: () => open(change),
      })),
    }));
}

/** The marks of changes on the charts of a timeline. Changes outside of it have none. */
export function timelineMarks(changes: readonly Change[], timeline: Timeline, open: (change: Change) => void): ChartMark[] {
  const indexes = new Map(timeline.starts.map((start, index) => [start, index]));
  return marksBy(changes, ({ at }) => [indexes.get(rowOf(timeline, at)) ?? -1], open);
}

/**
 * The marks of moved labels on charts by version of a prompt, at the version that a label moved to.
 *
 * @param versions of the charts, in order
 */
export function versionMarks(
  changes: readonly Change[],
  name: string,
  versions: readonly number[],
  open: (change: Change) => void,
): ChartMark[] {
  const moves = changes.filter(
    ({ kind, source, metadata }) => kind === 'prompt' && source === 'automatic' && metadata['name'] === name,
  );
  return marksBy(moves, (change) => [...new Set(versionsOf(change).map((version) => versions.indexOf(version)))], open);
}

function versionsOf({ metadata }: Change): number[] {
  const labels: readonly unknown[] = Array.isArray(metadata['labels']) ? metadata['labels'] : [];
  return labels.flatMap((label) =>
    typeof label === 'object' && label !== null && 'to' in label && typeof label.to === 'number' ? [label.to] : [],
  );
}
