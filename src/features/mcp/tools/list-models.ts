import { modelRange } from '../../../contract/models.ts';
import { listsThatFit } from '../answers/lists-that-fit.ts';
import { cursor } from '../cursor-argument.ts';
import { defineTool } from '../tool.ts';

export const listModels = defineTool({
  name: 'list_models',
  title: 'List models',
  description: 'The models that were called over a range, by cost, with calls, cost, latency, errors, tokens and scores.',
  keyScopes: ['read'],
  input: modelRange.extend({ cursor }).strict(),
  run: async ({ tenant, ports }, { cursor: after, ...range }) =>
    listsThatFit(await ports.models.listModels(tenant, range), [['models']], after),
});
