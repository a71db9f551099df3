import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startService, temporaryDataDirectory } from '../test/support/service.ts';
import { httpLoad, repeatedFor, requestBytes } from './http-load.ts';
import { startProgram } from './processes.ts';

export interface PromptFetch {
  /** Prompts a second ÷ responses a second of a bare Fastify route with the same bytes, by round; the two alternate. */
  ratios: number[];
  /** Prompts a second in the best round. */
  perSecond: number;
}

const connections = 16;

/** Fetching a prompt of a usual size with an API key, served from memory. */
export async function benchPromptFetch({ rounds, seconds }: { rounds: number; seconds: number }): Promise<PromptFetch> {
  const directory = await temporaryDataDirectory();
  const service = await startService({ dataDirectory: directory.path });
  try {
    const headers = { 'x-api-key': service.apiKey };
    const prompt = `You answer questions about {{topic}}. ${'Say what you know, and where you know it from. '.repeat(20)}`;
    await fetch(`${service.url}/v1/prompts`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'support/answer', prompt, labels: ['production'], config: { model: 'gpt-4o' } }),
    });
    const url = `${service.url}/v1/prompts?name=support%2Fanswer&label=production`;
    const answer = await fetch(url, { headers });
    if (answer.status !== 200) throw new Error(`the prompt was answered with ${answer.status}`);
    const file = join(directory.path, 'answer.json');
    await writeFile(file, Buffer.from(await answer.arrayBuffer()));
    const bare = await startProgram(join(import.meta.dirname, 'bare-fastify.mjs'), [file]);
    const bareUrl = `http://127.0.0.1:${bare.port}/`;
    const ask = async (target: string, length: number) => {
      const { perSecond, refused } = await httpLoad(
        target,
        repeatedFor(length, requestBytes('GET', target, headers)),
        connections,
      );
      if (refused > 0) throw new Error(`${refused} requests to ${target} were refused`);
      return perSecond;
    };
    await ask(url, 1);
    await ask(bareUrl, 1);
    const result: PromptFetch = { ratios: [], perSecond: 0 };
    for (let round = 0; round < rounds; round++) {
      const denominator = await ask(bareUrl, seconds);
      const numerator = await ask(url, seconds);
      result.ratios.push(numerator / denominator);
      result.perSecond = Math.max(result.perSecond, numerator);
    }
    bare.child.disconnect();
    return result;
  } finally {
    await service.stop('SIGKILL');
    await directory.remove();
  }
}
