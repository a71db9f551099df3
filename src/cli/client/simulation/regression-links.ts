import type { GateResult } from '../../../contract/simulation-gate.ts';
import type { BatchItem, BatchRun } from '../../../contract/simulations.ts';
import type { ProjectClient } from '../service/find-service.ts';

type Regression = GateResult['regressions'][number];

/** A regressed item with the page of its trace. */
export interface LinkedRegression extends Regression {
  /** null when the item has no trace. */
  url: string | null;
  /** The beginning of the item's input; null where it is not known. */
  input: string | null;
}

interface Found {
  traceId?: string | undefined;
  input?: string | undefined;
}

/** Pages of items that are read for their traces and inputs. */
const maxPages = 5;
const pageItems = 100;

/** Adds the page of the candidate's trace, and the input, to each regressed item. Errors: Refusal. */
export async function regressionLinks(
  project: ProjectClient,
  candidate: BatchRun,
  regressions: readonly Regression[],
): Promise<LinkedRegression[]> {
  const found = new Map<string, Found>();
  for (const status of ['failed', 'error'] as const)
    if (regressions.some(({ candidate: side }) => side.status === status)) await readTraces(project, candidate.id, status, found);
  return regressions.map((regression) => {
    const { traceId, input = null } = found.get(keyOf(regression.datasetItemId, regression.candidate.status)) ?? {};
    return { ...regression, url: urlOf(candidate, traceId), input };
  });
}

/** Of an item's repetitions the gate shows the first that did not pass: the first with its status. */
function keyOf(datasetItemId: string, status: string): string {
  return `${datasetItemId} ${status}`;
}

async function readTraces(
  { client, path }: ProjectClient,
  runId: string,
  status: string,
  found: Map<string, Found>,
): Promise<void> {
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const query = new URLSearchParams({ status, limit: String(pageItems), ...(cursor === null ? {} : { cursor }) });
    const answer: { items: BatchItem[]; nextCursor: string | null } = await client.json(
      'GET',
      path(`/simulations/batch-runs/${runId}/items?${query}`),
    );
    for (const { datasetItemId, traceId, inputPreview } of answer.items) {
      const key = keyOf(datasetItemId, status);
      if (!found.has(key)) found.set(key, { traceId: traceId ?? undefined, input: inputPreview ?? undefined });
    }
    cursor = answer.nextCursor;
    if (cursor === null) return;
  }
}

/** The page of a trace, beside that of the dataset run. */
function urlOf({ url }: BatchRun, traceId: string | undefined): string | null {
  if (url === null || traceId === undefined) return null;
  return new URL(`../../../traces/${encodeURIComponent(traceId)}`, url).href;
}
