import { expect, test } from 'vitest';
import { sourceBody } from './dataset-source.ts';

const trace = { traceId: 't', spanId: null, input: 'in', output: 'out' };
const span = { ...trace, spanId: 's' };
const before = { form: 'text', text: 'out' } as const;

test('an unchanged expected output is not sent', () => {
  expect(sourceBody(trace, before, before)).toEqual({ body: '{"source":{"traceId":"t"}}' });
  expect(sourceBody(span, before, before)).toEqual({ body: '{"source":{"traceId":"t","spanId":"s"}}' });
});

test('an edited expected output is sent as typed', () => {
  expect(sourceBody(span, { form: 'json', text: '{"id": 9007199254740993}' }, before)).toEqual({
    body: '{"source":{"traceId":"t","spanId":"s"},"expectedOutput":{"id": 9007199254740993}}',
  });
  expect(sourceBody(span, { form: 'json', text: '{' }, before)).toEqual({ problem: expect.stringContaining('Invalid JSON') });
});
