import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { GitCompareArrows } from 'lucide-react';
import type { ReactNode } from 'react';
import { batchRunQuery, batchRunsQuery } from '../../api/simulations.ts';
import type { BatchRun } from '../../api/service.ts';
import { Button, buttonClass } from '../../design/button.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { BatchRunSearch } from './search.ts';

const from = '/o/$org/p/$project/simulations/runs/$batchRunId';

/** The element with the items; it takes the focus when they are compared. */
export const itemsId = 'batch-items';

/** Compares the items with the previous run of the scenario, or, of the first, with the latest; once they are compared, leads to the scores of both runs. */
export function CompareRun({ run }: { run: BatchRun }): ReactNode {
  const { at, projectId } = useProject();
  const { baseline } = useSearch({ from });
  const navigate = useNavigate({ from });
  // The list that the gate reads.
  const runs = useInfiniteQuery(batchRunsQuery(projectId, { scenarioId: run.scenarioId, status: 'completed' }));
  const chosen = useQuery({ ...batchRunQuery(projectId, baseline ?? ''), enabled: baseline !== undefined }).data?.batchRun;
  if (baseline === undefined) {
    const others = runs.data?.pages.flatMap(({ batchRuns }) => batchRuns).filter(({ id }) => id !== run.id) ?? [];
    const previous = others.find(({ createdAt }) => createdAt < run.createdAt) ?? others[0];
    if (previous === undefined) return null;
    const compare = () => {
      void navigate({ to: '.', search: (before: BatchRunSearch) => ({ ...before, baseline: previous.id }), replace: true });
      document.getElementById(itemsId)?.focus();
    };
    return (
      <Button onClick={compare}>
        <GitCompareArrows aria-hidden />
        Compare
      </Button>
    );
  }
  const [a, b] = [chosen?.datasetRunId ?? null, run.datasetRunId];
  if (a === null || b === null || chosen?.datasetId !== run.datasetId) return null;
  return (
    <Link {...pages.dataset(at, run.datasetId)} search={{ tab: 'compare', a, b }} className={buttonClass()}>
      <GitCompareArrows aria-hidden />
      Compare scores
    </Link>
  );
}
