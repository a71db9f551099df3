import { isRecord } from './delivery/channel.ts';
import type { Service } from './service.ts';

/** The project of the API key, asked for once; the answer of the service when it does not name it. */
export function projectOf(service: Service): () => Promise<string | Response> {
  let known: string | undefined;
  return async () => {
    if (known !== undefined) return known;
    const response = await service.request('/v1/sdk/whoami');
    if (!response.ok) return response;
    const body: unknown = await response.json();
    if (!isRecord(body) || typeof body['projectId'] !== 'string')
      throw new Error('The service does not name the project of the API key.');
    known = body['projectId'];
    return known;
  };
}
