import type { Detector } from '../detector.ts';
import { settledLength } from '../open-starts.ts';

export interface MaxLengthConfig {
  /** Largest number of code points. */
  maxCharacters: number;
}

/** Matches from the limit to the end of a text that is longer. */
export function maxLengthDetector({ maxCharacters }: MaxLengthConfig): Detector {
  return {
    detect({ work: { text }, budget, open, charactersBefore }) {
      const most = Math.max(0, maxCharacters - charactersBefore);
      budget.spend(text.length);
      // There are at most as many code points as units.
      let limit = text.length <= most ? text.length : 0;
      for (let left = most; left > 0 && limit < text.length; left -= 1) {
        limit += (text.codePointAt(limit) ?? 0) > 0xffff ? 2 : 1;
      }
      const tooLong = limit < text.length;
      return {
        triggered: tooLong,
        matches: tooLong ? [{ start: limit, end: text.length, label: 'too_long' }] : [],
        truncated: false,
        reason: tooLong ? `The text is longer than ${maxCharacters} characters.` : null,
        safeUntil: open ? Math.min(limit, settledLength(text)) : text.length,
      };
    },
    placeholder: () => '',
  };
}
