import { blastRadiusQuery } from '../../../contract/graph.ts';
import { listsThatFit } from '../answers/lists-that-fit.ts';
import { cursor } from '../cursor-argument.ts';
import { defineTool } from '../tool.ts';

export const blastRadius = defineTool({
  name: 'blast_radius',
  title: 'Get the blast radius of a node',
  description: 'What depends on a node of the dependency graph, and the traces, sessions, users and cost concerned.',
  keyScopes: ['read'],
  input: blastRadiusQuery.extend({ cursor }).strict(),
  run: async ({ tenant, ports }, { cursor: after, ...query }) =>
    listsThatFit({ ...(await ports.graph.getBlastRadius(tenant, query)) }, [['affected'], ['changes']], after),
});
