import type { Answer } from '../tool.ts';
import { cutFields } from './cut.ts';
import { maxResultBytes, resultBytes } from './tool-result.ts';

/** Entries of the first attempt: more seldom fit. */
const firstAttempt = 20;
/** Characters of a field of an entry: the last, for a single entry, always fits. */
const fieldLimits = [2_000, 1_000, 400, 40] as const;

/** A page of a list. */
interface ListPage {
  entries: readonly object[];
  nextCursor: string | null;
}

/**
 * A page of a list as an answer that fits. The list is read again with a smaller limit where it does not, so that `nextCursor` is that of the list.
 *
 * @param name the field of the answer that holds the entries
 * @param limit the most entries
 */
export async function pageThatFits(name: string, limit: number, read: (limit: number) => Promise<ListPage>): Promise<Answer> {
  for (let wanted = Math.min(limit, firstAttempt); ;) {
    const { entries, nextCursor } = await read(wanted);
    const answerWith = (maxCharacters: number): Answer => ({
      [name]: entries.map((entry) => cutFields(entry as Answer, maxCharacters)),
      nextCursor,
    });
    const bytes = resultBytes(answerWith(fieldLimits[0]));
    if (bytes <= maxResultBytes || entries.length === 0) return answerWith(fieldLimits[0]);
    if (entries.length === 1) {
      const shorter = fieldLimits.map(answerWith).find((answer) => resultBytes(answer) <= maxResultBytes);
      return shorter ?? answerWith(fieldLimits[3]);
    }
    wanted = Math.max(1, Math.min(entries.length - 1, Math.floor((0.9 * entries.length * maxResultBytes) / bytes)));
  }
}
