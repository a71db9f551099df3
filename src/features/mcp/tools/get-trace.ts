import { z } from 'zod';
import { traceParams, traceQuery } from '../../../contract/traces.ts';
import { cut, cutFields } from '../answers/cut.ts';
import { entriesThatFit, offsetCursor, offsetOf } from '../answers/lists-that-fit.ts';
import type { Entry } from '../answers/lists-that-fit.ts';
import { cursor } from '../cursor-argument.ts';
import { defineTool } from '../tool.ts';
import type { Answer } from '../tool.ts';

/** Entries that are read for a page: more never fit with previews, and seldom with payloads. */
const maxEntries = { none: 100, preview: 60, full: 25 } as const;
/** Characters of a payload. */
const maxPayload = 1_000;

export const getTrace = defineTool({
  name: 'get_trace',
  title: 'Get a trace',
  description:
    'One trace: its spans in tree order, then its scores and business outcomes. payloads=full has the beginning of each payload; get_span has them whole.',
  keyScopes: ['read'],
  input: z.strictObject({
    traceId: traceParams.shape.traceId,
    payloads: traceQuery.shape.payloads
      .removeDefault()
      .default('preview')
      .describe('preview: the first 200 characters of inputs and outputs; full: the first 1,000 of each payload; none'),
    cursor,
  }),
  async run({ tenant, ports }, { traceId, payloads, cursor: after }) {
    const from = offsetOf(after);
    const part = await ports.traces.getTracePart(tenant, traceId, { payloads, from, count: maxEntries[payloads] });
    const entries: Entry[] = [
      ...part.spans.map((span) => ({ path: ['spans'] as const, value: { ...span.fields, ...beginnings(span.payloads) } })),
      ...part.scores.map((value) => ({ path: ['scores'] as const, value })),
      ...part.outcomes.map((value) => ({ path: ['outcomes'] as const, value })),
    ];
    const own = from === 0 ? beginnings(part.payloads) : {};
    const trace = cutFields({ ...part.trace, ...own }, maxPayload);
    return entriesThatFit({
      head: { trace, ...(part.truncated ? { truncated: true } : {}) },
      paths: [['spans'], ['scores'], ['outcomes']],
      entries,
      more: part.more,
      cursorAfter: (count) => offsetCursor(from + count),
      shortenHead: ({ trace: whole, ...rest }, limit) => ({ trace: cutFields(whole as Answer, limit), ...rest }),
    });
  },
});

/** The beginnings of payloads, those that are left out excepted. */
function beginnings(payloads: Readonly<Record<string, string>> | null): Answer {
  const given = Object.entries(payloads ?? {}).filter(([, text]) => text !== '');
  return Object.fromEntries(
    given.map(([name, text]) => [name, text.length > maxPayload ? cut(text, maxPayload) : (JSON.parse(text) as unknown)]),
  );
}
