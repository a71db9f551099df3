import { pageQuery } from '../../contract/common.ts';

/** The cursor of tools whose routes have none: a page of an answer that is too large. */
export const cursor = pageQuery.shape.cursor.describe('nextCursor of the page before, with the same other arguments');
