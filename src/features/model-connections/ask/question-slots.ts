import { Turns } from '../../../platform/budgets/index.ts';
import type { TurnLimits } from '../../../platform/budgets/index.ts';
import { ModelError } from './model-error.ts';

export type { TurnLimits };

/**
 * Limits the questions in progress in this process.
 *
 * Errors of `run`: retryable {@link ModelError}: `busy` when too many questions wait, `unavailable` when the signal aborts before there is a slot.
 */
export class QuestionSlots extends Turns {
  constructor(limits: TurnLimits) {
    super(limits, {
      busy: () => new ModelError('busy', 'Too many questions to models are under way; try again later.', { retryable: true }),
      aborted: () => new ModelError('unavailable', 'The question was cancelled.', { retryable: true }),
    });
  }
}
