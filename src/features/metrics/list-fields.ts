import { filterFields } from '../../contract/filter/fields.ts';
import { measuresOf, metricSubjects } from '../../contract/metrics/measures.ts';
import type { MetricSubject } from '../../contract/metrics/measures.ts';
import { timeParts } from '../../contract/metrics/time-parts.ts';
import type { MetricFields } from '../../contract/metrics/query.ts';
import { isGroupable } from '../traces/index.ts';

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
      ...Object.entries(timeParts).map(([name, description]) => ({ name, type: 'text', description })),
    ],
  });
  return { on: Object.fromEntries(metricSubjects.map((on) => [on, of(on)])) as MetricFields['on'] };
}
