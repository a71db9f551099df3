import { promptsQuery } from '../../../contract/prompts.ts';
import { pageThatFits } from '../answers/page-that-fits.ts';
import { defineTool } from '../tool.ts';

export const listPrompts = defineTool({
  name: 'list_prompts',
  title: 'List prompts',
  description: 'The latest version of each prompt, by name, with the labels of all its versions. get_prompt has the whole text.',
  keyScopes: ['prompts:read', 'read'],
  input: promptsQuery.omit({ name: true, version: true, label: true, projectId: true }).strict(),
  run: ({ tenant, ports }, query) =>
    pageThatFits('prompts', query.limit, async (limit) => {
      const { prompts, nextCursor } = await ports.prompts.listPrompts(tenant.projectId, { ...query, limit });
      return { entries: prompts, nextCursor };
    }),
});
