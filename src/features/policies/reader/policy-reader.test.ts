import { expect, test } from 'vitest';
import { PolicyReader } from './policy-reader.ts';

const slow = { path: 'slow.yaml', content: '- a\n'.repeat(60_000) };
const quick = { path: 'a.yaml', content: 'apiVersion: spanwise/v1\nkind: Environment\nmetadata: {name: a}\n' };

test('a file that takes longer than the limit is a fault, and the next request is read', async () => {
  const hasty = new PolicyReader({ limitMs: 1 });
  const [fault] = (await hasty.read([quick, slow])).faults;
  expect(fault).toMatchObject({ line: 1, column: 1, message: expect.stringContaining('takes too much time') });
  await hasty.close();

  const reader = new PolicyReader();
  const [first, second] = await Promise.all([reader.read([slow]), reader.read([quick])]);
  expect(first.faults).toMatchObject([{ path: 'slow.yaml', message: expect.stringContaining('too many values') }]);
  expect(second).toMatchObject({ faults: [], policies: [{ name: 'a', path: 'a.yaml' }] });
  await reader.close();
  await expect(reader.read([quick])).rejects.toMatchObject({ code: 'unavailable' });
});

test('requests beyond those that may wait are refused', async () => {
  const reader = new PolicyReader();
  const answers = await Promise.allSettled(Array.from({ length: 25 }, () => reader.read([quick])));
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(5);
  await reader.close();
});

test('policies are written as files in the thread', async () => {
  const reader = new PolicyReader();
  const files = await reader.render([{ kind: 'Environment', name: 'a', spec: { description: 'Ä' } }], ['environments/a.yaml']);
  expect(files).toMatchObject([{ path: 'environments/a-2.yaml' }]);
  expect((await reader.read(files)).policies).toMatchObject([{ name: 'a', spec: { description: 'Ä' } }]);
  await reader.close();

  const hasty = new PolicyReader({ limitMs: 1 });
  const environments = Array.from({ length: 1000 }, (_, index) => ({
    kind: 'Environment' as const,
    name: `e${index}`,
    spec: { description: 'x'.repeat(1000) },
  }));
  await expect(hasty.render(environments, [])).rejects.toMatchObject({ code: 'unavailable' });
  await hasty.close();
});
