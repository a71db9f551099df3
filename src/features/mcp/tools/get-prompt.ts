import { z } from 'zod';
import { promptsQuery } from '../../../contract/prompts.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { cursor } from '../cursor-argument.ts';
import { defineTool } from '../tool.ts';
import { promptAnswer } from './prompt-answer.ts';

const { name, version, label } = promptsQuery.shape;

export const getPrompt = defineTool({
  name: 'get_prompt',
  title: 'Get a prompt',
  description:
    'One version of a prompt: the given version or label, else the one labelled production, else the latest. A long text is cut; nextCursor continues it.',
  keyScopes: ['prompts:read', 'read'],
  input: z.strictObject({
    name: name.unwrap().describe('the name of the prompt'),
    version: z
      .union([z.int().min(1).max(999_999_999), version.unwrap()], { error: 'must be a version number, such as 3' })
      .optional()
      .describe('this version'),
    label: label.describe('the version with this label'),
    cursor,
  }),
  async run({ tenant, ports }, { cursor: after, ...selection }) {
    if (selection.version !== undefined && selection.label !== undefined) {
      throw new ServiceError('invalid_request', 'Send either version or label; not both.', {
        details: [{ path: '/label', message: 'cannot be combined with version' }],
      });
    }
    return promptAnswer(await ports.prompts.getVersion(tenant.projectId, selection), after);
  },
});
