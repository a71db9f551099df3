import { ServiceError } from '../../contract/errors.ts';
import type { Views } from './open.ts';

const noView = () => Promise.reject(new ServiceError('not_found', 'There is no such view.'));

/** For projects without saved views. */
export const noViews: Views = {
  withView: async (_acting, { view, ...query }) => {
    if (view !== undefined) throw new ServiceError('not_found', 'There is no such view.');
    return query;
  },
  requireView: noView,
  viewOf: noView,
};
