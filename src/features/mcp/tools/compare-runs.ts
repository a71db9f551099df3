import { z } from 'zod';
import { compareQuery, datasetParams } from '../../../contract/datasets.ts';
import { decodeCursor, encodeCursor } from '../../../platform/keyset/index.ts';
import { cutFields } from '../answers/cut.ts';
import { entriesThatFit } from '../answers/lists-that-fit.ts';
import { cursor } from '../cursor-argument.ts';
import { defineTool } from '../tool.ts';
import type { Answer } from '../tool.ts';

/** Items that are read for a page: more never fit. */
const maxItems = 60;
/** Characters of a field of either run, such as its output. */
const maxField = 1_000;

export const compareRuns = defineTool({
  name: 'compare_runs',
  title: 'Compare two runs of a dataset',
  description:
    'By evaluator the mean difference of scores of run b minus run a with its 95 % interval, and both results of each item. The differences are on the first page.',
  keyScopes: ['read'],
  input: compareQuery.omit({ projectId: true }).extend({ datasetId: datasetParams.shape.datasetId, cursor }).strict(),
  async run({ tenant, ports }, { datasetId, runs, cursor: after }) {
    const [shown, place] = after === undefined ? ([0, 0] as const) : decodeCursor(after, position);
    const part = await ports.datasets.comparePart(
      tenant,
      { datasetId, runs },
      { after: place, count: maxItems, withEvaluators: shown !== null, valueOf },
    );
    const evaluators = part.byEvaluator.slice(shown ?? 0);
    const entries = [
      ...evaluators.map((value) => ({ path: ['byEvaluator'] as const, value })),
      ...part.items.map(({ value }) => ({ path: ['items'] as const, value })),
    ];
    const cursorAfter = (count: number) =>
      count < evaluators.length
        ? encodeCursor([(shown ?? 0) + count, 0])
        : encodeCursor([null, part.items[count - evaluators.length - 1]?.place ?? place]);
    return entriesThatFit({ head: {}, paths: [['byEvaluator'], ['items']], entries, more: part.more, cursorAfter, shorten });
  },
});

/** The evaluators on the pages before, null for all of them, and the place of the last item. */
const position = z.tuple([z.int().min(0).max(100_000).nullable(), z.int32().min(0)]);

function valueOf(json: string): Answer {
  return shorten(JSON.parse(json), 2 * maxField) as Answer;
}

/** An item with the fields of both of its sides cut. */
function shorten(value: unknown, limit: number): unknown {
  const { a, b, ...fields } = value as { a?: Answer | null; b?: Answer | null };
  const side = (given: Answer | null | undefined) => given && cutFields(given, Math.floor(limit / 2));
  return a === undefined ? cutFields(fields, limit) : { ...fields, a: side(a), b: side(b) };
}
