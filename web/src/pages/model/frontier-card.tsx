import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { outcomeSummaryQuery } from '../../api/outcomes.ts';
import type { ModelDetail } from '../../api/service.ts';
import { Card } from '../../design/card.tsx';
import { Chart } from '../../design/chart.tsx';
import type { ScatterChart } from '../../design/chart-model.ts';
import { Select } from '../../design/field.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { figuresRequest } from '../../range.ts';
import type { FiguresSearch } from '../../range.ts';
import { perCall, successMeasures } from './cost-measures.ts';
import type { CostMeasure } from './cost-measures.ts';
import { frontierChart } from './frontier.ts';
import type { ModelSearch } from './search.ts';

interface FrontierCardProps {
  detail: ModelDetail;
  /** Models without a price. */
  unpriced: ReadonlySet<string>;
  range: FiguresSearch;
  nowMs: number;
}

/** Quality over cost of this model and all others, the cost by call or by successful outcome. */
export function FrontierCard({ detail, unpriced, range, nowMs }: FrontierCardProps): ReactNode {
  const { projectId } = useProject();
  const { cost = '' } = useSearch({ from: '/o/$org/p/$project/models/$model' });
  const { data } = useQuery({
    ...outcomeSummaryQuery(projectId, figuresRequest(range, nowMs)),
    placeholderData: keepPreviousData,
  });
  const measures = useMemo(() => [perCall, ...(data ? successMeasures(data) : [])], [data]);
  const measure = measures.find(({ id }) => id === cost) ?? perCall;
  const chart = useMemo(
    () => frontierChart(detail.frontier.thisModel, detail.frontier.points, unpriced, measure),
    [detail, unpriced, measure],
  );
  const choice = measures.length > 1 && <MeasureChoice measures={measures} chosen={measure} />;
  if (chart === null) {
    return (
      <Card title="Cost and quality" aside={choice}>
        <p className="px-3 py-4 text-ink-faint">
          {measure === perCall
            ? 'No model with a price was evaluated in this time range.'
            : 'No evaluated model has a successful outcome of this kind in this time range.'}
        </p>
      </Card>
    );
  }
  return <Chart model={chart} height={300} aside={choice} note={frontierNote(detail, unpriced, chart, measure)} />;
}

function MeasureChoice({ measures, chosen }: { measures: readonly CostMeasure[]; chosen: CostMeasure }): ReactNode {
  const navigate = useNavigate();
  return (
    <Select
      label="Cost"
      labelHidden
      className="max-w-52"
      value={chosen.id}
      options={measures.map(({ id, name }) => ({ value: id, label: name }))}
      onValue={(cost) =>
        void navigate({
          to: '.',
          search: (before: ModelSearch) => ({ ...before, cost: cost === '' ? undefined : cost }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}

/** The caption names the line only if there is one. */
function frontierNote(
  { model, frontier }: ModelDetail,
  unpriced: ReadonlySet<string>,
  { line }: ScatterChart,
  measure: CostMeasure,
): string {
  const omitted = frontier.points.filter((point) => unpriced.has(point.model)).length + Number(unpriced.has(model));
  return [
    ...(line ? ['Dashed line: best quality at each cost.'] : []),
    ...(measure === perCall ? [] : ['Cost of whole traces, which may have called several models.']),
    ...(omitted === 0 ? [] : [`${countedExactly(omitted, 'unpriced model')} not shown.`]),
  ].join(' ');
}
