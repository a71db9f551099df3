import { expect, test } from 'vitest';
import { isEdited, sourceBody, sourceDraft } from './dataset-source.ts';

const trace = { traceId: 't', spanId: null, input: 'in', output: 'out' };
const span = { ...trace, spanId: 's' };
const before = sourceDraft(trace);

test('unchanged fields are not sent', () => {
  expect(sourceBody(trace, before, before)).toEqual({ body: '{"source":{"traceId":"t"}}' });
  expect(sourceBody(span, before, before)).toEqual({ body: '{"source":{"traceId":"t","spanId":"s"}}' });
});

test('edited fields are sent as typed', () => {
  const large = { form: 'json', text: '{"id": 9007199254740993}' } as const;
  expect(sourceBody(span, { ...before, expectedOutput: large }, before)).toEqual({
    body: '{"source":{"traceId":"t","spanId":"s"},"expectedOutput":{"id": 9007199254740993}}',
  });
  expect(sourceBody(trace, { ...before, input: { form: 'text', text: 'shorter' } }, before)).toEqual({
    body: '{"source":{"traceId":"t"},"input":"shorter"}',
  });
});

test('a failed source has no expected output, until one is written', () => {
  const failed = { ...trace, output: null };
  const initial = sourceDraft(failed);
  expect(initial.expectedOutput).toEqual({ form: 'none', text: '' });
  expect(isEdited({ ...initial }, initial)).toBe(false);
  expect(sourceBody(failed, initial, initial)).toEqual({ body: '{"source":{"traceId":"t"}}' });
  const written = { ...initial, expectedOutput: { form: 'text', text: 'yes' } } as const;
  expect(isEdited(written, initial)).toBe(true);
  expect(sourceBody(failed, written, initial)).toEqual({ body: '{"source":{"traceId":"t"},"expectedOutput":"yes"}' });
});

test('each invalid field has its problem', () => {
  const broken = { form: 'json', text: '{' } as const;
  expect(sourceBody(span, { ...before, input: broken }, before)).toEqual({
    problems: { input: expect.stringContaining('Invalid JSON') },
  });
  expect(sourceBody(span, { input: broken, expectedOutput: broken }, before)).toEqual({
    problems: { input: expect.any(String), expectedOutput: expect.any(String) },
  });
});
