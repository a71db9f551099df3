import type { Acting } from '../../contract/actor.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Job } from '../../contract/jobs.ts';
import type { SelectionBody } from '../../contract/selections.ts';
import { keysOf } from './record-ids.ts';
import type { SelectionsContext } from './selections-context.ts';

/**
 * Makes the job that does an action to the selected records (docs/semantics/jobs.md, "Selections").
 *
 * Errors: `invalid_request`, `invalid_filter`; `not_found` for what the action names; `conflict` while too many jobs wait.
 */
export async function selectRecords({ makers }: SelectionsContext, acting: Acting, body: SelectionBody): Promise<Job> {
  const { on, ids, filter, view, except = [], action } = body;
  const given = [ids, filter, view].filter((one) => one !== undefined);
  if (given.length !== 1)
    throw new ServiceError(
      'invalid_request',
      'Name the records by exactly one of ids, filter and view; an empty filter means all.',
    );
  if (on === 'spans' && action.type === 'delete')
    throw new ServiceError('invalid_request', 'Spans are not deleted one by one; select traces.', {
      details: [{ path: '/on', message: 'must be traces' }],
    });
  const left = new Set(keysOf(on, except, 'except'));
  const keys = keysOf(on, ids ?? [], 'ids').filter((key) => !left.has(key));
  return makers.delete.create(acting, null, [keys]);
}
