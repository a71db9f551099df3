import type { Postgres } from '../../platform/postgres/index.ts';
import type { JobType } from '../jobs/index.ts';
import { maxTags } from '../trace-store/index.ts';
import type { IngestPipeline, TagChange, TagFailure } from '../trace-store/index.ts';
import { noSuchTrace } from './record-ids.ts';

export interface TagContext {
  postgres: Pick<Postgres, 'withLock'>;
  pipeline: Pick<IngestPipeline, 'changeTags'>;
}

/** Traces of one page: their summaries are derived while no batch is written. */
const pageSize = 200;

const reasons: Readonly<Record<TagFailure, string>> = {
  missing: noSuchTrace,
  full: `A trace has at most ${maxTags} tags; remove some first.`,
};

/** Jobs that add tags to traces or remove them. A page that is done again changes nothing. */
export function tagJobs(type: 'addTags' | 'removeTags', { postgres, pipeline }: TagContext): JobType<TagChange, null> {
  return {
    type,
    permission: 'datasets:manage',
    byKey: type === 'addTags' ? ['datasets:write'] : 'none',
    pageSize,
    run: async ({ job, items }) => {
      const { organizationId, projectId, input } = job;
      // Two processes that change the tags of one trace at the same time would lose the changes of one.
      const failed = await postgres.withLock(`spanwise-trace-tags-${projectId}`, () =>
        pipeline.changeTags({ organizationId, projectId }, items, input),
      );
      return { failed: [...failed].map(([id, failure]) => ({ id, error: reasons[failure] })) };
    },
  };
}
