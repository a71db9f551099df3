import type { Incident } from '../../api/service.ts';
import { rowOf } from '../../content/change-marks.ts';
import type { ChartMark } from '../../design/chart-model.ts';
import { formatMoment } from '../../format/time-format.ts';
import type { Timeline } from '../../range.ts';

/**
 * The marks of an incident's chart: its opening and its resolution, and changes.
 *
 * @param changes their marks on the same timeline
 * @param open shows the history of the incident
 */
export function incidentMarks(
  { openedAt, resolvedAt }: Pick<Incident, 'openedAt' | 'resolvedAt'>,
  changes: readonly ChartMark[],
  timeline: Timeline,
  open: () => void,
): ChartMark[] {
  const own = [
    { id: 'opened', name: 'Incident opened', at: openedAt },
    { id: 'resolved', name: 'Incident resolved', at: resolvedAt },
  ].flatMap(({ id, name, at }) => {
    const category = at === null ? -1 : timeline.starts.indexOf(rowOf(timeline, at));
    return at === null || category < 0 ? [] : [{ category, events: [{ id, name, when: formatMoment(at), open }] }];
  });
  return [...Map.groupBy([...own, ...changes], ({ category }) => category)]
    .toSorted(([left], [right]) => left - right)
    .map(([category, marks]) => ({ category, events: marks.flatMap(({ events }) => events) }));
}
