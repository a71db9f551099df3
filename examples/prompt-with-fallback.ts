// A prompt that is edited in Spanwise, with a fallback for when it was never reachable; the call names its version.
import { Spanwise } from '@spanwise/sdk';
import OpenAI from 'openai';

const spanwise = new Spanwise();
const openai = new OpenAI();

const prompt = await spanwise.prompts.get('support', { label: 'production', fallback: 'Answer briefly: {{question}}' });
const content = prompt.compile({ question: 'How is the weather?' });
if (typeof content !== 'string') throw new Error('The prompt "support" is a text.');

const answer = await spanwise.span(
  {
    name: 'answer',
    kind: 'llm',
    model: 'gpt-4o',
    provider: 'openai',
    input: content,
    promptName: prompt.name,
    ...(prompt.version !== null && { promptVersion: prompt.version }),
  },
  async (span) => {
    const { choices, usage } = await openai.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content }] });
    const output = choices[0]?.message.content ?? '';
    span.update({ output, usage: { inputTokens: usage?.prompt_tokens, outputTokens: usage?.completion_tokens } });
    return output;
  },
);
console.log(prompt.isFallback ? 'fallback:' : `version ${prompt.version}:`, content);
console.log(answer);
await spanwise.shutdown();
