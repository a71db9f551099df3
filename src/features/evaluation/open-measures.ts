import type { ModelClient } from '../model-connections/index.ts';
import { Judge } from './judge/judge.ts';
import { MeasureThread } from './measure/measure-thread.ts';
import { Measures } from './measures.ts';

/** The measures and their resources. */
export interface OpenedMeasures {
  measures: Measures;
  /** Stops running calculations; their evaluations fail and may be retried. */
  close(): Promise<void>;
}

/** Opens the measures. Their thread starts when it is first needed. */
export function openMeasures({ models }: { models: Pick<ModelClient, 'askModel' | 'findConnection'> }): OpenedMeasures {
  const calculations = new MeasureThread();
  return {
    measures: new Measures({ models, calculations, judge: new Judge(models) }),
    close: () => calculations.close(),
  };
}
