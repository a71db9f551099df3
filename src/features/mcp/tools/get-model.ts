import { modelParams, timelineRange } from '../../../contract/models.ts';
import { listsThatFit } from '../answers/lists-that-fit.ts';
import { cursor } from '../cursor-argument.ts';
import { defineTool } from '../tool.ts';

const lists = [
  ['errorBreakdown'],
  ['usage', 'agents'],
  ['usage', 'operations'],
  ['quality', 'byEvaluator'],
  ['frontier', 'points'],
  ['timeline'],
  ['quality', 'trend'],
] as const;

export const getModel = defineTool({
  name: 'get_model',
  title: 'Get a model',
  description:
    'The figures of one model over a range: summary, errors by code, use by agent and operation, quality by evaluator, cost and quality beside other models, and a timeline.',
  keyScopes: ['read'],
  input: timelineRange.extend({ model: modelParams.shape.model, cursor }).strict(),
  run: async ({ tenant, ports }, { model, cursor: after, ...query }) =>
    listsThatFit({ ...(await ports.models.getModel(tenant, model, query)) }, lists, after),
});
