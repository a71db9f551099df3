import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { scoreSummaryQuery } from '../../api/scores.ts';
import type { EvaluatorSummary } from '../../api/service.ts';
import { Card } from '../../design/card.tsx';
import { Absent, Score, Share } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Sparkline } from '../../design/sparkline.tsx';
import { Visible } from '../../design/visible.tsx';
import { countedExactly, formatExact } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { trendOf } from './score-trend.ts';

/** The evaluators whose scores applications and people report, with their trend. @param slugs of the project's own evaluators */
export function ReportedEvaluators({ slugs }: { slugs: ReadonlySet<string> }): ReactNode {
  const { projectId } = useProject();
  const { data } = useQuery(scoreSummaryQuery(projectId));
  const reported = data?.evaluators.filter(({ evaluator }) => !slugs.has(evaluator)) ?? [];
  if (reported.length === 0) return null;
  return (
    <Card title="Reported by applications and people, last 30 days">
      <PlainTable
        label="Reported evaluators"
        head={['Evaluator', 'Scores', 'Mean', 'Pass rate', 'Trend']}
        rows={reported.map((summary) => ({
          key: summary.evaluator,
          cells: [
            <Visible key="name" text={summary.evaluator} />,
            formatExact(summary.count),
            summary.avg === null ? <Absent key="mean" why="Labels alone" /> : <Score key="mean" value={summary.avg} />,
            summary.passRate === null ? (
              <Absent key="rate" why="No score says whether it passed" />
            ) : (
              <Share key="rate" value={summary.passRate} />
            ),
            <ScoreTrend key="trend" summary={summary} />,
          ],
        }))}
      />
    </Card>
  );
}

/** The daily means of an evaluator's scores; of labels alone the number of them. */
export function ScoreTrend({ summary }: { summary: Pick<EvaluatorSummary, 'type' | 'count' | 'timeline'> }): ReactNode {
  const label =
    summary.type === 'number'
      ? `Daily mean over ${countedExactly(summary.timeline.length, 'day')}`
      : `Labels a day, ${countedExactly(summary.count, 'score')}`;
  return (
    <span className="inline-flex justify-end">
      <Sparkline values={trendOf(summary)} label={label} />
    </span>
  );
}
