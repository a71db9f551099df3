import { scoreBody } from '../../../contract/ingest.ts';
import { cutFields } from '../answers/cut.ts';
import { defineTool } from '../tool.ts';

export const recordScore = defineTool({
  name: 'record_score',
  title: 'Record a score',
  description: 'Records a score of a trace, a span or a session. The same scoreId again replaces it.',
  keyScopes: ['scores:write'],
  input: scoreBody,
  permission: 'evaluations:manage',
  run: async ({ ports, ...by }, body) => cutFields({ ...(await ports.ingest.recordScore(by, body)) }, 1_000),
});
