import type { Service } from '../support/service.ts';
import { hostileName } from './special-traces.ts';

/** Hostile text without control characters, which names reject. */
export const hostilePrompt = hostileName.replaceAll(/\p{Cc}/gu, '');
/** Seeded spans reference its versions 3 and 4. */
export const triagePrompt = 'support/triage';

const tone = 'Be friendly and brief.\nNever promise a date that you do not know.';

function triage(priorities: string, last: string): Array<{ role: string; content: string }> {
  return [
    {
      role: 'system',
      content: `You are the first to read what customers of {{company}} write.\n\n{{> house/tone }}\n\n${priorities}\n\nWhen you do not know, say so.`,
    },
    { role: 'user', content: `Customer: {{customer_name}}\nPlan: {{plan}}\n\n{{message}}` },
    { role: 'system', content: last },
  ];
}

const priorities = (urgent: string) =>
  `Choose a priority:\n- urgent: ${urgent}\n- normal: everything that has a question in it\n- low: thanks, spam and newsletters`;

const prompts: ReadonlyArray<Record<string, unknown>> = [
  { name: 'house/tone', prompt: 'Be friendly.', folder: 'shared', tags: ['house style'], commitMessage: 'First words' },
  { name: 'house/tone', prompt: tone, labels: ['production'], commitMessage: 'No dates out of thin air' },
  {
    name: triagePrompt,
    type: 'chat',
    prompt: triage(priorities('a payment failed'), 'Answer with the priority alone.'),
    config: { model: 'gpt-4o-mini', temperature: 0.7 },
    folder: 'support/inbox',
    tags: ['support', 'triage', 'customer facing'],
    commitMessage: 'First version',
  },
  {
    name: triagePrompt,
    type: 'chat',
    prompt: triage(priorities('a payment failed'), 'Answer with the priority and one sentence that says why.'),
    config: { model: 'gpt-4o-mini', temperature: 0.7 },
    commitMessage: 'Say why, so that people can check it',
  },
  {
    name: triagePrompt,
    type: 'chat',
    prompt: triage(priorities('a payment failed or a shop is down'), 'Answer with the priority and one sentence that says why.'),
    config: { model: 'gpt-4o-mini', temperature: 0.2 },
    labels: ['production'],
    commitMessage: 'Shops that are down are urgent; less temperature',
  },
  {
    name: triagePrompt,
    type: 'chat',
    prompt: triage(
      priorities('a payment failed, a shop is down, or somebody cannot sign in'),
      'Answer as JSON: {"priority": "urgent" | "normal" | "low", "because": "one sentence"}.',
    ),
    config: { model: 'gpt-4o-mini', temperature: 0.2, response_format: { type: 'json_object' } },
    labels: ['staging'],
    commitMessage: 'JSON, and sign-in trouble is urgent as well',
  },
  {
    name: 'billing/resolve',
    prompt: 'Resolve the billing question of {{customer_name}}.\n\n{{> house/tone@production }}\n\nInvoice:\n{{invoice}}',
    folder: 'support/billing',
    tags: ['support', 'billing'],
    labels: ['production'],
    commitMessage: 'Takes the tone of the house',
  },
  {
    name: 'research/answer',
    prompt: 'Answer {{question}} from these passages alone:\n\n{{passages}}\n\nName the passage for each sentence.',
    folder: 'research',
    tags: ['retrieval'],
  },
  { name: 'summary', prompt: 'Summarise in three sentences:\n\n{{text}}', tags: ['tools'], labels: ['production'] },
  {
    name: hostilePrompt,
    prompt: `${hostileName}\n{{${'x<script>'}}} {{ ok }}`,
    folder: `hostile/${hostilePrompt.replaceAll('/', '')}`.slice(0, 200),
    tags: [hostilePrompt.slice(0, 100)],
    labels: [hostilePrompt.slice(0, 100)],
    config: { [hostileName]: hostileName },
    commitMessage: hostileName,
  },
  { name: hostilePrompt, prompt: `${hostileName} again`, config: {}, commitMessage: `${hostileName} again` },
];

/** Creates prompts in folders, with versions, references and labels. */
export async function specialPrompts(service: Service): Promise<void> {
  for (const prompt of prompts) {
    const answer = await fetch(`${service.url}/v1/prompts`, {
      method: 'POST',
      headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(prompt),
    });
    if (answer.status !== 201) throw new Error(`creating a prompt failed: ${await answer.text()}`);
  }
}
