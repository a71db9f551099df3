import type { JobMaker } from '../jobs/index.ts';

export interface SelectionsContext {
  /** The jobs of each action. */
  makers: { delete: JobMaker<null> };
}
