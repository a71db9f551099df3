import { ServiceError } from '../../../contract/errors.ts';
import { isUniqueViolation } from '../../../platform/postgres/index.ts';

/** Awaits a write and throws `conflict` when its slug is taken; other errors are rethrown. */
export async function underFreeSlug<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error, 'evaluators_slug')) throw error;
    throw new ServiceError('conflict', 'This project has an evaluator with this slug; choose another one.');
  }
}
