import { systemActor } from '../../contract/actor.ts';
import { promptBody } from '../../contract/prompts.ts';
import type { PromptsFeature } from '../../features/prompts/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { agents } from './scenario.ts';

/** What changed from version to version, and the sentence that came with it. The calls of the demonstration used the third and fourth. */
const changes = [
  ['First version', 'Answer the question.'],
  ['Shorter answers', 'Answer in at most three sentences.'],
  ['Say what is not known', 'Say so when you do not know.'],
  ['Name the source', 'Name the document or tool that an answer comes from.'],
] as const;
const labels: ReadonlyMap<number, string[]> = new Map([
  [3, ['production']],
  [4, ['staging']],
]);

/** Creates the prompts that the calls of the demonstration name, each in four versions. @returns how many prompts */
export async function seedPrompts({ createVersion }: Pick<PromptsFeature, 'createVersion'>, tenant: Tenant): Promise<number> {
  for (const { name: agent, promptName: name, service } of agents) {
    const sentences = [`You are ${agent}.`];
    for (const [index, [commitMessage, sentence]] of changes.entries()) {
      sentences.push(sentence);
      const messages = [
        { role: 'system', content: sentences.join(' ') },
        { role: 'user', content: '{{question}}' },
      ];
      const body = { name, prompt: messages, type: 'chat', commitMessage, tags: [service], labels: labels.get(index + 1) };
      await createVersion({ tenant, actor: systemActor }, promptBody.parse(body));
    }
  }
  return agents.length;
}
