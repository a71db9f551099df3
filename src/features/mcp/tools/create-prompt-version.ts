import { promptBody } from '../../../contract/prompts.ts';
import { defineTool } from '../tool.ts';
import { promptAnswer } from './prompt-answer.ts';

export const createPromptVersion = defineTool({
  name: 'create_prompt_version',
  title: 'Create a prompt version',
  description:
    'Adds a version to a prompt, or creates the prompt. labels move here from other versions: production is what applications fetch.',
  keyScopes: ['prompts:write'],
  input: promptBody,
  permission: 'prompts:manage',
  async run({ tenant, actor, ports }, body) {
    const { nextCursor: _cut, ...answer } = promptAnswer(await ports.prompts.createVersion({ tenant, actor }, body), undefined);
    return answer;
  },
});
