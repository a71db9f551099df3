import { graphQuery } from '../../../contract/graph.ts';
import { listsThatFit } from '../answers/lists-that-fit.ts';
import { cursor } from '../cursor-argument.ts';
import { defineTool } from '../tool.ts';

export const getGraph = defineTool({
  name: 'get_graph',
  title: 'Get the dependency graph',
  description:
    'Services, agents, models, providers, prompts, tools and retrievers over a range, by calls, and the edges between them. Nodes come first, then edges.',
  keyScopes: ['read'],
  input: graphQuery.extend({ cursor }).strict(),
  run: async ({ tenant, ports }, { cursor: after, ...query }) =>
    listsThatFit({ ...(await ports.graph.getGraph(tenant, query)) }, [['nodes'], ['edges']], after),
});
