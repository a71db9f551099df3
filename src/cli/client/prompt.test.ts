import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { openPromptsService } from '../../features/prompts/prompts-service.fixture.ts';
import type { PromptsService } from '../../features/prompts/prompts-service.fixture.ts';
import { embeddedBackend } from '../../platform/postgres/postgres-backends.fixture.ts';
import { compareCodePoints } from '../../platform/text/index.ts';
import { runClient } from './command-io.fixture.ts';
import { fileNameOf } from './prompt/file-name.ts';
import { promptFileText } from './prompt/prompt-file.ts';
import type { RecordedTerminal } from './terminal/recorded-terminal.fixture.ts';

let service: PromptsService;
let url: string;
let folder: string;
let other: string;
/** A key of a project for this test alone. */
let key: string;
beforeAll(async () => {
  service = await openPromptsService(embeddedBackend);
  url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
});
afterAll(() => service.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spanwise-prompts-'));
  other = join(folder, 'deep/other');
  key = await newProject();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const newProject = async (): Promise<string> => (await service.project()).key['x-api-key'] ?? '';

const run = (...parameters: string[]): Promise<RecordedTerminal> =>
  runClient(['prompt', ...parameters], { environment: { url, apiKey: key } });
const put = (file: string, text: string) => writeFile(join(folder, file), text);
const read = (file: string, place = folder) => readFile(join(place, file), 'utf8');
const by = () => ({ 'x-api-key': key });
const create = async (body: object) => {
  expect((await service.request(by(), 'POST', '/v1/prompts', body)).status).toBe(201);
};
const versions = async (name: string): Promise<Array<Record<string, unknown>>> =>
  (await service.request(by(), 'GET', `/v1/prompts/${encodeURIComponent(name)}/versions`)).body.versions;
async function filesOf(place: string): Promise<Record<string, string>> {
  const names = (await readdir(place)).filter((name) => name.endsWith('.md'));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(name, place)] as const)));
}

describe('pull', () => {
  test('writes a file for each prompt, and a second one changes nothing', async () => {
    await create({ name: 'a/b', prompt: 'Hello {{name}}\n', labels: ['production'], tags: ['x'], folder: 'f', config: { n: 1 } });
    await create({ name: 'talk', type: 'chat', prompt: [{ role: 'user', content: 'Hi' }] });
    const first = await run('pull', other);
    expect(first).toMatchObject({ code: 0, errors: '' });
    expect(first.printed.slice(0, 2)).toEqual(['+ a%2Fb.md', '+ talk.md']);
    expect(await read('a%2Fb.md', other)).toMatch(
      /^---\nname: a\/b\ntype: text\nversion: 1\nlabels: \[ production \]\ntags: \[ x \]\nfolder: f\nconfig:\n {2}n: 1\nchecksum: sha256-\w+\n---\nHello \{\{name\}\}\n\n$/,
    );
    const before = await filesOf(other);
    expect(JSON.parse((await run('pull', other, '--json')).output)).toEqual({
      created: [],
      updated: [],
      unchanged: ['a%2Fb.md', 'talk.md'],
      conflicts: [],
      localOnly: [],
    });
    expect(await filesOf(other)).toEqual(before);
  });

  test('follows the service, and leaves what was changed here until --force', async () => {
    await create({ name: 'a', prompt: 'one' });
    await create({ name: 'b', prompt: 'one' });
    await run('pull', folder);
    await put('a.md', `${await read('a.md')}mine\n`);
    await put('local.md', '---\n---\nmine');
    for (const name of ['a', 'b', 'c']) await create({ name, prompt: 'two' });
    const refused = await run('pull', folder);
    expect(refused).toMatchObject({
      code: 1,
      errors: expect.stringContaining('changed here and not overwritten; push, or add --force: a.md'),
    });
    expect(refused.errors).toContain('local.md: the service does not have it');
    expect(await read('a.md')).toContain('mine');
    expect(await read('b.md')).toMatch(/two\n$/);
    expect(JSON.parse((await run('pull', folder, '--json')).output)).toMatchObject({
      conflicts: ['a.md'],
      error: expect.any(String),
    });
    expect(await run('pull', folder, '--force')).toMatchObject({ code: 0 });
    expect(await read('a.md')).toMatch(/version: 2\n[^]*two\n$/);
    expect(await read('local.md')).toContain('mine');
  });

  test('writes through no link, and beside a file of something else', async () => {
    await create({ name: 'README', prompt: 'x' });
    await put('readme.md', 'About these prompts');
    await put('outside.txt', 'keep');
    expect(await run('pull', folder)).toMatchObject({ code: 0 });
    expect((await readdir(folder)).toSorted()).toEqual(['%52%45%41%44%4D%45.md', 'outside.txt', 'readme.md']);
    await rm(join(folder, '%52%45%41%44%4D%45.md'));
    await symlink(join(folder, 'outside.txt'), join(folder, '%52%45%41%44%4D%45.md'));
    expect(await run('pull', folder)).toMatchObject({ code: 1, errors: expect.stringContaining('is not a file') });
    expect(await read('outside.txt')).toBe('keep');
  });
});

describe('push', () => {
  test('creates prompts from files of a person, in the order of their references', async () => {
    await put('a.md', '---\nlabels: [production]\ntags: [x]\nfolder: f\n---\n{{> z }} and {{name}}\n');
    await put('z.md', '---\ntype: chat\n# who speaks\n---\n- {role: user, content: Hi}\n');
    await put('README.md', 'About these prompts');
    const { code, errors } = await run('push', folder);
    // A text cannot refer to a chat prompt: nothing is left half done in the file.
    expect([code, errors]).toEqual([1, expect.stringContaining('a: the service answered 400')]);
    await put('a.md', (await read('a.md')).replace('{{> z }}', '{{> y }}'));
    await put('y.md', '---\n---\nGood day');
    const pushed = await run('push', folder, '--message', 'from git');
    expect(pushed.errors).toBe('README.md has no front matter and is left out');
    expect(pushed).toMatchObject({ code: 0 });
    expect(pushed.printed).toEqual([
      '+ y: new',
      '+ a: new; label production',
      'Pushed: 2 new versions, 0 with other labels, tags or folder, 1 unchanged.',
    ]);
    expect(await versions('a')).toMatchObject([
      {
        version: 1,
        prompt: '{{> y }} and {{name}}',
        labels: ['latest', 'production'],
        tags: ['x'],
        folder: 'f',
        commitMessage: 'from git',
      },
    ]);
    expect(await read('a.md')).toMatch(
      /^---\nlabels: \[production\]\ntags: \[x\]\nfolder: f\nversion: 1\nchecksum: sha256-\w+\n---\n\{\{> y \}\} and \{\{name\}\}\n$/,
    );
    expect(await read('z.md')).toContain('# who speaks\nversion: 1');
  });

  test('a new version where the content differs, and labels, tags and folder where those do', async () => {
    await create({ name: 'a', prompt: 'one', labels: ['production'] });
    await create({ name: 'b', prompt: 'one', labels: ['old'] });
    await create({ name: 'b', prompt: 'two' });
    await run('pull', folder);
    await put('a.md', (await read('a.md')).replace('one', 'three'));
    await put(
      'b.md',
      (await read('b.md'))
        .replace('labels: []', 'labels: [old, new]')
        .replace('tags: []', 'tags: [t]')
        .replace('folder: null', 'folder: f'),
    );
    const planned = await run('push', folder, '--dry-run');
    expect(planned.printed).toEqual([
      '~ a: a version after 1 (prompt); label production from version 1',
      '    @@',
      '     folder: null',
      '     ---',
      '    -one',
      '    +three',
      '~ b: tags, folder; label old from version 1; label new',
      '    @@',
      '     type: text',
      '     version: 2',
      '    -labels: []',
      '    -tags: []',
      '    -folder: null',
      '    +labels: [ old, new ]',
      '    +tags: [ t ]',
      '    +folder: f',
      '     ---',
      '     two',
      'Would push: 1 new version, 1 with other labels, tags or folder, 0 unchanged.',
    ]);
    expect(await versions('a')).toHaveLength(1);
    expect(JSON.parse((await run('push', folder, '--json')).output)).toEqual({
      dryRun: false,
      prompts: [
        { name: 'a', file: 'a.md', action: 'version', changes: ['prompt'], version: 2 },
        { name: 'b', file: 'b.md', action: 'update', changes: ['labels', 'tags', 'folder'], version: 2 },
      ],
    });
    expect(await versions('a')).toMatchObject([
      { version: 2, prompt: 'three', labels: ['latest', 'production'] },
      { labels: [] },
    ]);
    expect(await versions('b')).toMatchObject([
      { version: 2, labels: ['latest', 'new', 'old'], tags: ['t'], folder: 'f' },
      { labels: [] },
    ]);
    expect((await run('push', folder)).printed).toEqual([
      'Pushed: 0 new versions, 0 with other labels, tags or folder, 2 unchanged.',
    ]);
    expect(await run('pull', folder)).toMatchObject({ code: 0, errors: '' });
  });

  test('refuses where the service has a newer version, and pushes over it with --force', async () => {
    await create({ name: 'a', prompt: 'one' });
    await create({ name: 'b', prompt: 'one' });
    await run('pull', folder);
    for (const file of ['a.md', 'b.md']) await put(file, (await read(file)).replace('one', 'mine'));
    await create({ name: 'a', prompt: 'theirs' });
    const refused = await run('push', folder);
    expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('nothing was pushed') });
    expect(refused.printed[0]).toBe('! a: a.md was written from version 1, and the service has version 2');
    expect(await versions('b')).toHaveLength(1);
    expect(JSON.parse((await run('push', folder, '--json')).output)).toMatchObject({ conflicts: [{ name: 'a', version: 2 }] });
    expect(await run('push', folder, '--force')).toMatchObject({ code: 0 });
    expect(await versions('a')).toMatchObject([{ prompt: 'mine' }, { prompt: 'theirs' }, { prompt: 'one' }]);
    expect(await read('a.md')).toContain('version: 3');
  });

  test('a label that a file does not name stays where it is, and that is said', async () => {
    await create({ name: 'a', prompt: 'one', labels: ['production'] });
    await run('pull', folder);
    await put('a.md', (await read('a.md')).replace('[ production ]', '[]'));
    expect((await run('push', folder)).printed[1]).toBe(
      '  label production stays: a label leaves a version only for another one',
    );
  });

  test.each([
    ['a folder that is not there', ['push', 'none'], 1, 'cannot be read (ENOENT)'],
    ['a wrong key', ['pull', 'FOLDER', '--key', 'spw_wrong'], 1, 'answered 401'],
    ['a token without a project', ['pull', 'FOLDER', '--token', 'spwu_x'], 2, '--project'],
    ['no folder', ['pull'], 2, "missing required argument 'dir'"],
    ['a service that is away', ['push', 'FOLDER', '--url', 'http://127.0.0.1:1'], 2, 'cannot be reached'],
  ])('%s', async (_what, parameters, code, told) => {
    const terminal = await run(...parameters.map((one) => (one === 'FOLDER' ? folder : one)));
    expect(terminal).toMatchObject({ code, errors: expect.stringContaining(told) });
  });

  test.each([
    ['two files of one prompt', { 'a.md': '---\nname: x\n---\n', 'b.md': '---\nname: x\n---\n' }, 'are both the prompt x'],
    ['a file whose name was cut', { 'a~1.md': '---\n---\n' }, 'write the name of the prompt'],
    ['a file that is not UTF-8', { 'a.md': Buffer.from([0x2d, 0xff]) }, 'is not UTF-8'],
  ])('%s: nothing is pushed', async (_what, files, told) => {
    for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
    expect(await run('push', folder)).toMatchObject({ code: 1, errors: expect.stringContaining(told) });
  });
});

describe('both ways', () => {
  const word = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 12 })
    .filter((one) => one.isWellFormed() && !/\p{Cc}/u.test(one) && one.trim() === one && one !== '');
  const body = fc
    .array(fc.oneof(fc.constantFrom('\n', '---\n', ' ', '\r\n', '{{name}}'), word), { maxLength: 6 })
    .map((parts) => parts.join(''));
  const content = fc.oneof(
    fc.record({ type: fc.constant('text' as const), prompt: body }),
    fc.record({
      type: fc.constant('chat' as const),
      prompt: fc.array(fc.record({ role: fc.constant('user'), content: body }), { minLength: 1, maxLength: 3 }),
    }),
  );
  const labels = fc
    .uniqueArray(word, { maxLength: 3 })
    .map((names) => names.filter((name) => name !== 'latest').toSorted(compareCodePoints));
  const prompt = fc
    .tuple(
      content,
      fc.record({
        labels,
        tags: labels,
        // The service refuses this name in any body.
        config: fc.dictionary(
          word.filter((name) => name !== '__proto__'),
          fc.integer(),
          { noNullPrototype: true, maxKeys: 3 },
        ),
        folder: fc.constantFrom(null, 'a/b'),
      }),
    )
    .map(([one, others]) => ({ ...one, ...others }));

  test('files that are pushed are pulled as they are, and pushing what was pulled changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(word, prompt, { minKeys: 1, maxKeys: 4 }), async (prompts) => {
        const [from, to] = [join(folder, 'from'), join(folder, 'to')];
        key = await newProject();
        for (const place of [from, to]) await rm(place, { recursive: true, force: true });
        await run('pull', from);
        for (const [name, one] of Object.entries(prompts))
          await writeFile(join(from, fileNameOf(name)), promptFileText({ ...one, name, version: 7 }));
        const pushed = await run('push', from);
        expect(pushed.code, pushed.errors).toBe(0);
        const files = await filesOf(from);
        expect(await run('pull', to)).toMatchObject({ code: 0 });
        const [pulled, expected] = [Object.values(await filesOf(to)), Object.values(files)];
        expect(pulled.toSorted()).toEqual(expected.toSorted());
        const again = JSON.parse((await run('push', to, '--json')).output) as {
          prompts: Array<{ action: string; version: number }>;
        };
        expect(again.prompts.map(({ action, version }) => [action, version])).toEqual(expected.map(() => ['none', 1]));
        expect(Object.values(await filesOf(to))).toEqual(pulled);
      }),
      // So that a failure is told, whatever shrinking it takes.
      {
        numRuns: runs({ usual: 6, nightly: 100 }),
        interruptAfterTimeLimit: runs({ usual: 60_000, nightly: 600_000 }),
        markInterruptAsFailure: true,
      },
    );
  });
});
