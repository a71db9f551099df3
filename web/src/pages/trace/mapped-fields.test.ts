import { expect, test } from 'vitest';
import type { TraceSpan } from '../../api/wire.ts';
import { mappedFields } from './mapped-fields.ts';

const span = (fields: Partial<TraceSpan>): TraceSpan =>
  ({ costStatus: 'priced', usage: null, attributes: {}, ...fields }) as TraceSpan;

test('an attribute with the same value is the likely source of a field, as JSON text too', () => {
  const { mapped, unmapped } = mappedFields(
    span({
      model: 'gpt-4o',
      usage: { inputTokens: 12 },
      input: { a: [1] },
      output: 'ok',
      service: 'shop',
      attributes: {
        'gen_ai.response.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 12,
        'traceloop.entity.input': '{"a":[1]}',
        'traceloop.entity.output': '"ok"',
        unknown: true,
      },
      resourceAttributes: { 'service.name': 'shop' },
    }),
  );
  expect(mapped.map(({ field, attributes }) => [field, attributes])).toEqual([
    ['model', ['gen_ai.response.model']],
    ['usage.inputTokens', ['gen_ai.usage.input_tokens']],
    ['service', ['resource service.name']],
    ['input', ['traceloop.entity.input']],
    ['output', ['traceloop.entity.output']],
  ]);
  expect(unmapped).toEqual(['unknown']);
});

test('what was worked out has no source, and a computed cost is not looked for', () => {
  const { mapped } = mappedFields(span({ agentName: 'from above', costUsd: 0.5, attributes: { cost: 0.5 } }));
  expect(mapped).toEqual([{ field: 'agentName', value: 'from above', attributes: [] }]);
});
