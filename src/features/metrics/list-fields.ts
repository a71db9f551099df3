import { filterFields } from '../../contract/filter/fields.ts';
import { measuresOf, metricSubjects } from '../../contract/metrics/measures.ts';
import type { MetricSubject } from '../../contract/metrics/measures.ts';
import type { MetricFields } from '../../contract/metrics/query.ts';
import { isGroupable } from '../traces/index.ts';

const timeParts = [
  { name: 'hourOfDay', type: 'text', description: 'hour of the day in UTC, 00 to 23' },
  { name: 'weekday', type: 'text', description: 'day of the week in UTC, 1 (Monday) to 7' },
];

/** What queries can ask: the measures and the dimensions of each subject. */
export function listMetricFields(): MetricFields {
  const of = (on: MetricSubject) => ({
    measures: measuresOf[on].map(({ name, aggregations, unit, description }) => ({
      name,
      aggregations: [...aggregations],
      unit,
      description,
    })),
    dimensions: [
      ...filterFields[on === 'traces' ? 'traces' : 'spans']
        .filter((field) => isGroupable(field, on))
        .map(({ name, type, description }) => ({ name, type, description })),
      ...timeParts,
    ],
  });
  return { on: Object.fromEntries(metricSubjects.map((on) => [on, of(on)])) as MetricFields['on'] };
}
