import { expect, test } from 'vitest';
import type { Score } from '../../api/service.ts';
import { shownScores } from './shown-scores.ts';

const score = (fields: Partial<Score>) => ({ spanId: null, evaluator: 'helpful', source: 'evaluator', ...fields }) as Score;
const by = (id: string) => ({ type: 'user' as const, id, name: id });
const judge = score({});
const otherJudge = score({ evaluator: 'tone' });
const colleague = score({ source: 'annotation', recordedBy: by('colleague') });
const application = score({ source: 'native', evaluator: 'feedback' });
const mine = score({ source: 'annotation', recordedBy: by('me') });
const viewer = { evaluator: 'helpful', userId: 'me', mayScore: true };

test('judges and others are hidden until the viewer has scored', () => {
  const all = [judge, otherJudge, colleague, application];
  expect(shownScores(all, viewer)).toEqual({ shown: [application], hidden: 3 });
  expect(shownScores([...all, mine], viewer)).toEqual({ shown: [...all, mine], hidden: 0 });
  expect(shownScores(all, { ...viewer, mayScore: false })).toEqual({ shown: all, hidden: 0 });
});

test("a span's score is not one of the trace", () => {
  expect(shownScores([judge, { ...mine, spanId: 's' }], viewer).hidden).toBe(1);
});
