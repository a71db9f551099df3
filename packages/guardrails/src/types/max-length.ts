import type { Detector } from '../detector.ts';
import { settledLength } from '../open-starts.ts';
import { integer } from '../config-rules.ts';
import type { GuardrailTypeDescription } from './guardrail-type.ts';

interface MaxLengthConfig {
  /** Largest number of code points. */
  maxCharacters: number;
}

/** Matches from the limit to the end of a text that is longer. */
function maxLengthDetector({ maxCharacters }: MaxLengthConfig): Detector {
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
        placeholders: [''],
        truncated: false,
        reason: tooLong ? `The text is longer than ${maxCharacters} characters.` : null,
        safeUntil: open ? Math.min(limit, settledLength(text)) : text.length,
      };
    },
  };
}

export const maxLength: GuardrailTypeDescription<'max_length'> = {
  name: 'max_length',
  title: 'Maximum length',
  hint: 'Triggers on texts that are too long.',
  fields: { maxCharacters: integer(1, 10_000_000) },
  example: { maxCharacters: 10_000 },
  redacts: true,
  defaultAction: 'block',
  detector: maxLengthDetector,
};
