import type { ReactNode } from 'react';
import type { useRecordScore } from '../../api/scores.ts';
import type { TraceDetail } from '../../api/service.ts';
import { ScoreForm } from '../../content/score-form.tsx';
import type { QueuePlace, ScoreStyle } from '../../content/score-form.tsx';
import { Visible } from '../../design/visible.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';

interface YourScoreProps {
  evaluator: string;
  mayScore: boolean;
  record: ReturnType<typeof useRecordScore>;
  traceId: string;
  scores: TraceDetail['scores'];
  style: ScoreStyle;
  queue: QueuePlace;
  onRecorded(): void;
}

/** The viewer's score of the current trace, or the permission that it requires. */
export function YourScore({ evaluator, mayScore, ...form }: YourScoreProps): ReactNode {
  const { organization, projectId, user } = useProject();
  return (
    <>
      <h2 className="shrink-0 truncate text-ink-soft" title={visibleText(evaluator)}>
        {mayScore ? 'Your score:' : 'Scores:'} <Visible text={evaluator} className="font-semibold text-ink" />
      </h2>
      {mayScore ? (
        <ScoreForm {...form} {...{ projectId }} userId={user.id} spanId={null} slug={evaluator} />
      ) : (
        <p className="text-ink-soft">Your role ({organization.role}) can't score. Ask an admin.</p>
      )}
    </>
  );
}
