import { isRecord } from './delivery/channel.ts';
import type { Answer, Service } from './service.ts';

/** The project of the API key, asked for once; the answer of the service when it does not name it. */
export function projectOf(service: Service): () => Promise<string | Answer> {
  let known: string | undefined;
  return async () => {
    if (known !== undefined) return known;
    const answer = await service.request('/v1/sdk/whoami');
    if (!answer.ok) return answer;
    const { body } = answer;
    if (!isRecord(body) || typeof body['projectId'] !== 'string')
      throw new Error('The service does not name the project of the API key.');
    known = body['projectId'];
    return known;
  };
}
