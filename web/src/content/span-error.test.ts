import { expect, test } from 'vitest';
import { errorCodeOf, errorLine, errorTextOf, splitStack, stackOfEvents, stackOnly } from './span-error.ts';

test.each([
  ['timeout', 'Tool timed out', 'timeout: Tool timed out'],
  ['unknown', 'Tool timed out', 'Tool timed out'],
  ['Error', 'Tool timed out', 'Tool timed out'],
  ['unknown', null, 'unknown'],
  [null, 'Tool timed out', 'Tool timed out'],
  [null, null, ''],
  ['HTTPError', 'HTTPError: 404 for /x', 'HTTPError: 404 for /x'],
  ['HTTPError', 'HTTPError: HTTPError: 404', 'HTTPError: 404'],
  [null, 'HTTPError: HTTPError: 404', 'HTTPError: 404'],
  ['429', 'RateLimitError: RateLimitError: slow down', '429: RateLimitError: slow down'],
  ['timeout', 'timeout', 'timeout'],
])('code %s with message %s', (errorCode, errorMessage, line) => expect(errorLine({ errorCode, errorMessage })).toBe(line));

test('a specific code is kept', () => expect(errorCodeOf({ errorCode: '502', errorMessage: 'Bad gateway' })).toBe('502'));

test('the text of an error is without its code', () => {
  expect(errorTextOf({ errorCode: 'KeyError', errorMessage: "KeyError: 'a'" })).toBe("'a'");
  expect(errorTextOf({ errorCode: null, errorMessage: "KeyError: 'a'" })).toBe("KeyError: 'a'");
});

const python = 'Traceback (most recent call last):\n  File "/app/a.py", line 3, in run\n    go()\nValueError: no such city';
const node = 'TypeError: x is undefined\n    at run (/app/a.js:3:4)\n    at main (/app/b.js:1:1)';

test.each([
  [python, 'ValueError: no such city', python],
  [`ValueError: no such city\n${python}`, 'ValueError: no such city', python],
  [node, 'TypeError: x is undefined', '    at run (/app/a.js:3:4)\n    at main (/app/b.js:1:1)'],
  ['Look at this: it failed', 'Look at this: it failed', null],
])('a stack trace is divided from its message', (text, message, stack) => {
  expect(splitStack(text)).toEqual({ message, stack });
});

test('a text with a stack trace and more is no error alone', () => {
  expect(stackOnly(node)?.message).toBe('TypeError: x is undefined');
  expect(stackOnly(python)?.message).toBe('ValueError: no such city');
  for (const text of [`Here it is:\n\n${node}\n\nWhat does it mean?`, 'Meet me\n  at noon', 'Plain'])
    expect(stackOnly(text)).toBeNull();
});

test('the stack trace of an exception event', () => {
  expect(stackOfEvents([{ name: 'x' }, { name: 'exception', attributes: { 'exception.stacktrace': python } }])).toBe(python);
  for (const events of [undefined, null, [], [null], [{ attributes: { 'exception.stacktrace': '' } }]])
    expect(stackOfEvents(events)).toBeNull();
});
