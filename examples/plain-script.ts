// A script that asks a model. SPANWISE_API_KEY, SPANWISE_URL and OPENAI_API_KEY are read from the environment.
import { Spanwise } from '@spanwise/sdk';
import OpenAI from 'openai';

const spanwise = new Spanwise({ service: 'weather-script', release: '1.0.0' });
const openai = spanwise.wrapOpenAI(new OpenAI());

await spanwise.trace({ name: 'weather', userId: 'ada', tags: ['example'] }, async (trace) => {
  const forecast = await spanwise.span({ name: 'get_forecast', kind: 'tool', input: { city: 'Paris' } }, async (span) => {
    const found = { sky: 'clear', celsius: 21 };
    span.update({ output: found });
    return found;
  });
  const { choices } = await openai.chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: `How is the weather? ${JSON.stringify(forecast)}` }],
  });
  const answer = choices[0]?.message.content ?? '';
  trace.update({ output: answer });
  spanwise.score({ traceId: trace.traceId, evaluator: 'short', score: answer.length < 100 });
  console.log(answer);
});

// A script ends at once: what is queued is sent first.
await spanwise.shutdown();
