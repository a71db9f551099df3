import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import { jobLimits } from '../../contract/jobs.ts';
import type { Job } from '../../contract/jobs.ts';
import type { SelectionBody } from '../../contract/selections.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { requireDataset } from '../datasets/index.ts';
import type { JobSet, OnJobMade } from '../jobs/index.ts';
import type { RecordIds } from '../traces/index.ts';
import { keysOf, spanKey } from './record-ids.ts';
import type { SelectionsContext } from './selections-context.ts';

export interface Selecting extends Acting {
  plan: Tenant['plan'];
}

/** Actions that spans cannot have. */
const ofTraces: ReadonlySet<SelectionBody['action']['type']> = new Set(['delete', 'addTags', 'removeTags']);

/**
 * Makes the job that does an action to the selected records (docs/semantics/jobs.md, "Selections").
 *
 * Errors: `invalid_request`, `invalid_filter`; `not_found` for what the action or `view` names; `conflict` while too many jobs wait.
 */
export async function selectRecords(context: SelectionsContext, acting: Selecting, body: SelectionBody): Promise<Job> {
  const { db } = context;
  const { action } = body;
  if (action.type === 'addToDataset') await requireDataset(db, acting.projectId, action.datasetId);
  const evaluatorIds =
    action.type === 'evaluate'
      ? await context.evaluation.stored.evaluators(acting.projectId, [...new Set(action.evaluators)])
      : [];
  checkBody(body);
  const keys = await keysOfSelection(context, acting, body);
  if (action.type !== 'evaluate') return makeJob(context, acting, body.on, action, keys, recorded(context, acting, body));
  const { onlyUnscored, maxItems = Infinity, maxCostUsd = null } = action;
  const input = { on: body.on, plan: acting.plan, evaluatorIds, onlyUnscored, maxCostUsd };
  return context.makers.evaluate.create(acting, input, firstOf(keys, maxItems), recorded(context, acting, body));
}

/** Errors: `invalid_request`. */
function checkBody({ on, ids, filter, view, action }: SelectionBody): void {
  const given = [ids, filter, view].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw new ServiceError(
      'invalid_request',
      'Name the records by exactly one of ids, filter and view; an empty filter means all.',
    );
  if (on === 'traces' || !ofTraces.has(action.type)) return;
  throw new ServiceError('invalid_request', `The action ${action.type} is for traces; select traces.`, {
    details: [{ path: '/on', message: 'must be traces' }],
  });
}

async function keysOfSelection(
  { traces, views }: SelectionsContext,
  acting: Selecting,
  { on, ids, filter, view, except = [], range, from, to }: SelectionBody,
): Promise<JobSet> {
  const left = new Set(keysOf(on, except, 'except'));
  if (ids !== undefined) return [keysOf(on, ids, 'ids').filter((key) => !left.has(key))];
  const ofView = view === undefined ? null : await views.viewOf(acting, view, on);
  const given = range !== undefined || from !== undefined || to !== undefined;
  const query = {
    on,
    filter,
    viewFilter: ofView?.filter,
    ...(given || ofView === null ? { range, from, to } : { range: ofView.range ?? undefined }),
  };
  // One more than a job may have, and what is left out.
  const matching = traces.records.matching(acting, query, jobLimits.matched + 1 + left.size);
  return withoutKeys(on, matching, left);
}

async function* withoutKeys(
  on: SelectionBody['on'],
  parts: AsyncIterable<readonly RecordIds[]>,
  left: ReadonlySet<string>,
): AsyncGenerator<string[]> {
  for await (const part of parts) {
    const keys = part.map(({ traceId, spanId }) => (on === 'spans' ? spanKey(traceId, spanId) : traceId));
    yield left.size === 0 ? keys : keys.filter((key) => !left.has(key));
  }
}

async function* firstOf(parts: JobSet, most: number): AsyncGenerator<readonly string[]> {
  let left = most;
  for await (const part of parts) {
    if (left <= 0) return;
    yield part.slice(0, left);
    left -= part.length;
  }
}

/** Records who began what on how many records, with the job itself. */
function recorded(
  { clock }: SelectionsContext,
  { organizationId, projectId, actor }: Acting,
  { on, action }: SelectionBody,
): OnJobMade {
  return async (transaction, { id, matched }) => {
    await recordAudit(transaction, clock, {
      organizationId,
      projectId,
      actor,
      kind: 'selection.started',
      subject: id,
      detail: { action: action.type, on, matched },
    });
  };
}

type OtherAction = Exclude<SelectionBody['action'], { type: 'evaluate' }>;

function makeJob(
  { makers }: SelectionsContext,
  acting: Selecting,
  on: SelectionBody['on'],
  action: OtherAction,
  keys: JobSet,
  onMade: OnJobMade,
): Promise<Job> {
  const records = { on, plan: acting.plan };
  switch (action.type) {
    case 'delete':
      return makers.delete.create(acting, null, keys, onMade);
    case 'addTags':
      return makers.addTags.create(acting, { add: action.tags }, keys, onMade);
    case 'removeTags':
      return makers.removeTags.create(acting, { remove: action.tags }, keys, onMade);
    case 'addToDataset': {
      const { datasetId, expectedOutput } = action;
      return makers.addToDataset.create(acting, { ...records, datasetId, withOutput: expectedOutput === 'output' }, keys, onMade);
    }
    case 'export': {
      const { format, payloads } = action;
      return makers.export.create(acting, { ...records, format, payloads }, keys, onMade);
    }
  }
}
