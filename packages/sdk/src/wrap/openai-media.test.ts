import OpenAI, { AzureOpenAI, toFile } from 'openai';
import { expect, test } from 'vitest';
import { spansOf } from '../fake-service.fixture.ts';
import type { TestClient } from '../fake-service.fixture.ts';
import { useFakeModels } from './fake-models.fixture.ts';
import type { FakeModels } from './fake-models.fixture.ts';
import { completion } from './openai-answers.fixture.ts';

let models: FakeModels;
let client: TestClient;
let openai: OpenAI;

useFakeModels((rig) => {
  ({ models, client } = rig);
  openai = client.spanwise.wrapOpenAI(new OpenAI({ apiKey: 'unused', baseURL: `${models.url}/v1`, maxRetries: 0 }));
});

const spans = () => spansOf(client);
const usage = { type: 'tokens', input_tokens: 14, output_tokens: 4, total_tokens: 18 };
const recording = () => toFile(Buffer.from('RIFF'), 'call.wav');

test('a transcription is a call with the name of the file, its text and its tokens', async () => {
  models.answer = { json: { text: 'Sunny.', usage } };
  const answer = await openai.audio.transcriptions.create({
    model: 'gpt-4o-transcribe',
    file: await recording(),
    prompt: 'Rome',
  });
  expect(answer.text).toBe('Sunny.');
  expect(await spans()).toMatchObject([
    {
      name: 'transcription gpt-4o-transcribe',
      kind: 'llm',
      operation: 'transcription',
      provider: 'openai',
      model: 'gpt-4o-transcribe',
      input: { file: 'call.wav', prompt: 'Rome' },
      output: 'Sunny.',
      usage: { inputTokens: 14, outputTokens: 4 },
    },
  ]);
});

test('a streamed transcription has the text of its last event', async () => {
  models.answer = {
    events: [
      { type: 'transcript.text.delta', delta: 'Sun' },
      { type: 'transcript.text.done', text: 'Sunny.', usage },
    ],
  };
  const file = await recording();
  for await (const _event of await openai.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file, stream: true }));
  const [span] = await spans();
  expect(span).toMatchObject({ output: 'Sunny.', usage: { inputTokens: 14, outputTokens: 4 } });
  expect(span).toHaveProperty('timeToFirstTokenMs');
});

test('generated images are a call without the images', async () => {
  models.answer = { json: { created: 1, data: [{ b64_json: 'aGk=', revised_prompt: 'A sunny Rome' }], usage } };
  const answer = await openai.images.generate({ model: 'gpt-image-1', prompt: 'Rome', size: '1024x1024' });
  expect(answer.data?.[0]?.b64_json).toBe('aGk=');
  const [span] = await spans();
  expect(span).toMatchObject({
    name: 'image_generation gpt-image-1',
    kind: 'llm',
    model: 'gpt-image-1',
    input: 'Rome',
    output: [{ revised_prompt: 'A sunny Rome', base64Characters: 4 }],
    usage: { inputTokens: 14, outputTokens: 4 },
    attributes: { 'gen_ai.request.size': '1024x1024' },
  });
  expect(JSON.stringify(span)).not.toContain('aGk=');
});

test('an image that fails is an error', async () => {
  models.answer = { json: { error: { message: 'No.' } }, status: 400 };
  await expect(openai.images.generate({ model: 'gpt-image-1', prompt: 'Rome' })).rejects.toThrow(OpenAI.APIError);
  expect(await spans()).toMatchObject([{ status: 'error', errorCode: '400' }]);
});

test('a client of Azure at any address is of the provider azure', async () => {
  const azure = client.spanwise.wrapOpenAI(
    new AzureOpenAI({ apiKey: 'unused', apiVersion: '2026-01-01', baseURL: `${models.url}/openai`, maxRetries: 0 }),
  );
  models.answer = { json: completion({ content: 'Sunny.' }) };
  await azure.chat.completions.create({ model: 'my-deployment', messages: [{ role: 'user', content: 'Hi' }] });
  expect(await spans()).toMatchObject([{ provider: 'azure' }]);
});
