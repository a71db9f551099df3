import { expect, test } from 'vitest';
import { openLog } from './open-log.ts';

test('an error is logged with its causes and without the rows that a database puts into it', () => {
  const lines: string[] = [];
  const log = openLog('error', { write: (line) => void lines.push(line) });
  const violation = Object.assign(new Error('duplicate key value violates unique constraint "users_email"'), {
    code: '23505',
    detail: 'Key (email)=(ann@example.com) already exists.',
    where: 'ann@example.com',
  });
  log.error({ err: new AggregateError([new Error('not stored', { cause: violation })], 'two failed') }, 'a job failed');
  expect(lines.join('')).not.toContain('ann@example.com');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: 'a job failed',
    err: {
      message: 'two failed',
      stack: expect.stringContaining('open-log.test.ts'),
      errors: [{ message: 'not stored', cause: { code: '23505', message: expect.stringContaining('users_email') } }],
    },
  });
});

class Unnamed extends Error {}

test.each([
  [7, '7'],
  [Object.assign(Object.create(null) as object, { a: 1 }), expect.stringContaining('a: 1')],
  [new Unnamed('x'), expect.objectContaining({ type: 'Unnamed', message: 'x' })],
])('what is thrown is logged: %o', (thrown, logged) => {
  const lines: string[] = [];
  const log = openLog('error', { write: (line) => void lines.push(line) });
  log.error({ err: thrown, headers: { 'x-api-key': 'spw_secret' } }, 'failed');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: logged, headers: '[Redacted]' });
});
