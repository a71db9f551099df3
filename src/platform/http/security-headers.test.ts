import helmet from '@fastify/helmet';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { openHttpService } from './http-service.fixture.ts';
import { securityHeaders } from './security-headers.ts';

test("every answer has helmet's headers", async () => {
  const guarded = Fastify();
  await guarded.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        mediaSrc: ["'self'", 'data:'],
        frameAncestors: ["'none'"],
        upgradeInsecureRequests: null,
      },
    },
  });
  guarded.get('/', () => '');
  const theirs = (await guarded.inject('/')).headers;
  const policy = (headers: Record<string, unknown>) => ({
    ...headers,
    'content-security-policy': String(headers['content-security-policy']).split(';').toSorted(),
  });
  expect(policy(theirs)).toMatchObject(policy(securityHeaders));
  const own = new Set([...Object.keys(securityHeaders), 'content-type', 'content-length', 'date', 'connection']);
  expect(Object.keys(theirs).filter((name) => !own.has(name))).toEqual([]);
  await guarded.close();

  const service = await openHttpService((app) => {
    app.get('/v1/fails', { config: { access: { who: 'public' } } }, () => {
      throw new Error('on purpose');
    });
  });
  for (const path of ['/healthz', '/v1/fails', '/none']) {
    const { headers } = await service.request(path);
    for (const [name, value] of Object.entries(securityHeaders)) expect(headers.get(name), `${path} ${name}`).toBe(value);
  }
  await service.close();
});
