import { expect, test } from 'vitest';
import { hostileFiles } from '../documents/hostile-files.fixture.ts';
import { PolicyReader } from './policy-reader.ts';

const project = 'a project';
const slow = { path: 'slow.yaml', content: '- a\n'.repeat(60_000) };
const quick = { path: 'a.yaml', content: 'apiVersion: spanwise/v1\nkind: Environment\nmetadata: {name: a}\n' };

test('a file that takes longer than the limit is a fault, and the next request is read', async () => {
  const hasty = new PolicyReader({ limitMs: 1 });
  const [fault] = (await hasty.read(project, [quick, slow])).faults;
  expect(fault).toMatchObject({ line: 1, column: 1, message: expect.stringContaining('takes too much time') });
  await hasty.close();

  const reader = new PolicyReader();
  const [first, second] = await Promise.all([reader.read(project, [slow]), reader.read(project, [quick])]);
  expect(first.faults).toMatchObject([{ path: 'slow.yaml', message: expect.stringContaining('too many values') }]);
  expect(second).toMatchObject({ faults: [], policies: [{ name: 'a', path: 'a.yaml' }] });
  await reader.close();
  await expect(reader.read(project, [quick])).rejects.toMatchObject({ code: 'unavailable' });
});

test('requests beyond those that may wait are refused', async () => {
  const reader = new PolicyReader();
  const answers = await Promise.allSettled(Array.from({ length: 25 }, () => reader.read(project, [quick])));
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(5);
  await reader.close();
});

test('files that take all of their time delay no other project', async () => {
  const reader = new PolicyReader();
  const order: string[] = [];
  const reading = (from: string, file: typeof quick) => reader.read(from, [file]).then(() => order.push(from));
  await Promise.all([...Array.from({ length: 4 }, () => reading('slow', slow)), reading('quick', quick)]);
  expect(order.indexOf('quick')).toBeLessThan(3);
  await reader.close();
});

test('policies are written as files in the thread', async () => {
  const reader = new PolicyReader();
  const files = await reader.render(
    project,
    [{ kind: 'Environment', name: 'a', spec: { description: 'Ä' } }],
    ['environments/a.yaml'],
  );
  expect(files).toMatchObject([{ path: 'environments/a-2.yaml' }]);
  expect((await reader.read(project, files)).policies).toMatchObject([{ name: 'a', spec: { description: 'Ä' } }]);
  await reader.close();

  const hasty = new PolicyReader({ limitMs: 1 });
  const environments = Array.from({ length: 1000 }, (_, index) => ({
    kind: 'Environment' as const,
    name: `e${index}`,
    spec: { description: 'x'.repeat(1000) },
  }));
  await expect(hasty.render(project, environments, [])).rejects.toMatchObject({ code: 'unavailable' });
  await hasty.close();
});

test('hostile files end within 100 MiB of memory', { timeout: 120_000 }, async () => {
  // A limit ends the thread, and the fault then says so. The time is that of a file that does not end; tokens, which are counted, bound it otherwise.
  const reader = new PolicyReader({ memoryMb: 100, limitMs: 60_000 });
  const named = hostileFiles.map(([what, content]) => ({ what, files: [{ path: 'a.yaml', content }] }));
  const long = named.filter(({ files: [file] }) => (file?.content.length ?? 0) > 200_000);
  expect(long.length).toBeGreaterThan(3);
  // All that a request may hold, of one kind.
  const full = long.map(({ what, files }) => ({
    what: `four of ${what}`,
    files: files.flatMap(({ content }) => ['a', 'b', 'c', 'd'].map((name) => ({ path: `${name}.yaml`, content }))),
  }));
  for (const { what, files } of [...named, ...full]) {
    const { faults } = await reader.read(project, files);
    expect(faults.length, what).toBeGreaterThan(0);
    expect(
      faults.filter(({ message }) => message.includes('takes too much')),
      what,
    ).toEqual([]);
  }
  await reader.close();
});
