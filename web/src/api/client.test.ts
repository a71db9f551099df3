import { afterEach, expect, test, vi } from 'vitest';
import { urlTo } from '../api/operations.ts';
import { send } from './client.ts';

afterEach(() => vi.unstubAllGlobals());

const ended = { status: 401, message: 'Your session had ended. Sign in, then try again.' };

test.each([
  [401, '/v1/datasets', 'Send a valid project API key in the x-api-key header, or sign in.', ended],
  [
    403,
    '/v1/me/tokens',
    'Sign in to the dashboard or send a personal access token; a project API key cannot be used here.',
    ended,
  ],
  [403, '/v1/datasets', 'Your role lacks the permission datasets:manage; ask an owner.', null],
  [401, urlTo('/v1/auth/login'), 'The email or the password is wrong; check both and try again.', null],
  [401, urlTo('/v1/invitations/accept'), 'There is an account for a@example.com; sign in as it, then accept.', null],
])('%i of %s: "%s"', async (status, url, error, shown) => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ error, code: 'any' }, { status })));
  await expect(send('POST', url as '/v1/organizations', {})).rejects.toMatchObject(shown ?? { status, message: error });
});
