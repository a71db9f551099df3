import { openFakeChatServer, refuses, says } from '../../src/features/model-connections/ask/fake-chat-server.fixture.ts';
import type {
  Answering,
  ChatRequest,
  FakeChatServer,
} from '../../src/features/model-connections/ask/fake-chat-server.fixture.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

export const judgeKey = 'sk-never-shown-again';
export const judgeSlug = 'answer-quality';
/** Without control characters, which names reject. */
const hostileEvaluatorName = '<img src=x onerror="globalThis.hacked=3">\u202Eenot';

/** The end of a revised prompt. */
export const revisedLine = 'If a tool fails, say so and offer to try again.';

/** Revises the prompt that a fix proposal shows: adds a line to its last message, or to its text. */
const revises: Answering = (response, request) => {
  const shown = request.body.messages.at(-1)?.content ?? '';
  const prompt = /<prompt [^>]*>\n([\s\S]*?)\n<\/prompt /.exec(shown)?.[1] ?? '';
  const rationale = 'Failed tools were not mentioned, so that the model invented results.';
  let revised: unknown = `${prompt}\n${revisedLine}`;
  if (prompt.startsWith('[')) {
    const messages = JSON.parse(prompt) as Array<{ content: string }>;
    revised = messages.map((message, index) =>
      index < messages.length - 1 ? message : { ...message, content: `${message.content}\n${revisedLine}` },
    );
  }
  says({ rationale, prompt: revised }, { usage: { prompt_tokens: 2_400, completion_tokens: 310, total_tokens: 2_710 } })(
    response,
    request,
  );
};

const isRevision = ({ body }: ChatRequest) => body.messages[0]?.content.startsWith('You revise a prompt') === true;

/** Opens a fake model server that judges, and revises prompts. */
export async function openJudge({ refusesFirst }: { refusesFirst: boolean }): Promise<FakeChatServer> {
  const chat = await openFakeChatServer();
  const usage = { prompt_tokens: 412, completion_tokens: 36, total_tokens: 448 };
  const verdicts = [
    says({ score: 5, reasoning: 'Answers what was asked, and says why.' }, { usage }),
    says({ score: 2, reasoning: 'It apologises and answers another question than the one that was asked.' }, { usage }),
    says({ score: 4, reasoning: 'Right, though longer than it has to be.' }, { usage }),
  ];
  let asked = 0;
  chat.answers(...(refusesFirst ? [refuses(401, 'Incorrect API key provided.')] : []), (response, request) => {
    const answer = isRevision(request) ? revises : verdicts[asked++ % verdicts.length];
    answer?.(response, request);
  });
  return chat;
}

/** Creates evaluators of several types and a model connection to the judge. */
export async function specialEvaluators(
  service: Service,
  { cookie, projectId, judgeUrl }: { cookie: string; projectId: string; judgeUrl: string },
): Promise<{ connectionId: string; /** Resolves when the evaluation queue is empty. */ evaluated(): Promise<void> }> {
  const root = `${service.url}/v1/projects/${projectId}`;
  const make = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await fetch(root + path, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };
  const connection = await make('/model-connections', {
    name: 'Judges',
    baseUrl: judgeUrl,
    model: 'gpt-4o-mini',
    apiKey: judgeKey,
  });
  await make('/evaluators', {
    slug: judgeSlug,
    name: 'Answer quality',
    type: 'llm_judge',
    config: {
      connectionId: connection.id,
      model: 'gpt-4o-mini',
      instructions: 'Does the answer address what was asked, and is it right?',
      scale: [1, 5],
    },
    filter: { environments: ['staging'] },
    sampleRate: 0.2,
    passThreshold: 4,
  });
  await make('/evaluators', { slug: 'no-apology', type: 'regex', config: { pattern: '^[^!]*$', flags: 's' }, sampleRate: 0.1 });
  await make('/evaluators', {
    slug: 'fast-enough',
    name: 'Fast enough',
    type: 'latency',
    target: 'span',
    config: { maxMs: 3000 },
    filter: { kinds: ['llm'], models: ['gpt-4o-2024-08-06'] },
    sampleRate: 0.05,
  });
  await make('/evaluators', {
    slug: 'tone',
    name: hostileEvaluatorName,
    type: 'contains',
    config: { value: 'sorry', ignoreCase: true },
    enabled: false,
  });
  return { connectionId: connection.id, evaluated: () => evaluated(root, cookie) };
}

async function evaluated(root: string, cookie: string): Promise<void> {
  await until('everything is evaluated', async () => {
    const answer = await fetch(`${root}/evaluations?limit=1`, { headers: { cookie } });
    const { queue, evaluations } = (await answer.json()) as { queue: { waiting: number }; evaluations: unknown[] };
    return queue.waiting === 0 && evaluations.length > 0;
  });
}
