import { expect, test } from 'vitest';
import { errorCodeOf, errorLine } from './span-error.ts';

test.each([
  ['timeout', 'Tool timed out', 'timeout: Tool timed out'],
  ['unknown', 'Tool timed out', 'Tool timed out'],
  ['Error', 'Tool timed out', 'Tool timed out'],
  ['unknown', null, 'unknown'],
  [null, 'Tool timed out', 'Tool timed out'],
  [null, null, ''],
])('code %s with message %s', (errorCode, errorMessage, line) => expect(errorLine({ errorCode, errorMessage })).toBe(line));

test('a specific code is kept', () => expect(errorCodeOf({ errorCode: '502', errorMessage: 'Bad gateway' })).toBe('502'));
