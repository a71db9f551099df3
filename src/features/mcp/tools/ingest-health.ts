import { z } from 'zod';
import { listsThatFit } from '../answers/lists-that-fit.ts';
import { cursor } from '../cursor-argument.ts';
import { defineTool } from '../tool.ts';

export const ingestHealth = defineTool({
  name: 'ingest_health',
  title: 'Get the ingest health',
  description: 'Whether spans arrive, how many events were accepted and rejected and why, and how much of the quota is used.',
  keyScopes: ['admin-read'],
  input: z.strictObject({ cursor }),
  run: async ({ tenant, ports }, { cursor: after }) =>
    listsThatFit({ ...(await ports.ingest.healthOf(tenant)) }, [['latestRejections'], ['clients']], after),
});
