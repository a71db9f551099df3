import type { GateResult } from '../../../contract/simulation-gate.ts';
import type { BatchItem, BatchRun } from '../../../contract/simulations.ts';
import type { ProjectClient } from '../service/find-service.ts';

type Regression = GateResult['regressions'][number];

/** A regressed item with the page of its trace. */
export interface LinkedRegression extends Regression {
  /** null when the item has no trace. */
  url: string | null;
}

/** Pages of items that are read for their traces. */
const maxPages = 5;
const pageItems = 100;

/** Adds the page of the candidate's trace to each regressed item. Errors: Refusal. */
export async function regressionLinks(
  project: ProjectClient,
  candidate: BatchRun,
  regressions: readonly Regression[],
): Promise<LinkedRegression[]> {
  const traces = new Map<string, string>();
  for (const status of ['failed', 'error'] as const)
    if (regressions.some(({ candidate: side }) => side.status === status))
      await readTraces(project, candidate.id, status, traces);
  return regressions.map((regression) => ({ ...regression, url: urlOf(candidate, traces.get(regression.datasetItemId)) }));
}

async function readTraces(
  { client, path }: ProjectClient,
  runId: string,
  status: string,
  traces: Map<string, string>,
): Promise<void> {
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const query = new URLSearchParams({ status, limit: String(pageItems), ...(cursor === null ? {} : { cursor }) });
    const answer: { items: BatchItem[]; nextCursor: string | null } = await client.json(
      'GET',
      path(`/simulations/batch-runs/${runId}/items?${query}`),
    );
    for (const { datasetItemId, traceId } of answer.items)
      if (traceId !== null && !traces.has(datasetItemId)) traces.set(datasetItemId, traceId);
    cursor = answer.nextCursor;
    if (cursor === null) return;
  }
}

/** The page of a trace, beside that of the dataset run. */
function urlOf({ url }: BatchRun, traceId: string | undefined): string | null {
  if (url === null || traceId === undefined) return null;
  return new URL(`../../../traces/${encodeURIComponent(traceId)}`, url).href;
}
