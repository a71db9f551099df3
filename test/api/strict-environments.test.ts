import { expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';

test('with SPANWISE_STRICT_ENVIRONMENTS a check of an environment without a record is refused', async () => {
  const strict = await startTestApp(Date.UTC(2026, 10, 21, 13), { SPANWISE_STRICT_ENVIRONMENTS: 'true' });
  try {
    const sent = (environment?: string) =>
      fetch(`${strict.url}/v1/guardrails/check`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': strict.apiKey },
        body: JSON.stringify({ text: 'a', environment }),
      });
    expect((await sent()).status).toBe(200);
    const refused = await sent('prodution');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: 'invalid_request', details: [{ path: '/environment' }] });
  } finally {
    await strict.close();
  }
});
