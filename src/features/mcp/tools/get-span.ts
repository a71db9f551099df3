import { z } from 'zod';
import { traceParams } from '../../../contract/traces.ts';
import { textsThatFit } from '../answers/texts-that-fit.ts';
import { cursor } from '../cursor-argument.ts';
import { defineTool } from '../tool.ts';

export const getSpan = defineTool({
  name: 'get_span',
  title: 'Get a span',
  description:
    'One span with its input, output, metadata and attributes. Payloads that are too long are cut; nextCursor continues them as pieces of their JSON text.',
  keyScopes: ['read'],
  input: z.strictObject({ traceId: traceParams.shape.traceId, spanId: z.string().min(1).max(128), cursor }),
  async run({ tenant, ports }, { traceId, spanId, cursor: after }) {
    const { fields, payloads } = await ports.traces.getSpanTexts(tenant, traceId, spanId);
    const texts = Object.entries(payloads).map(([name, text]) => ({ name, text, json: true }));
    return textsThatFit(fields, texts, after);
  },
});
