import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseKeepingNumbers } from '../../../platform/json/index.ts';
import { messagesFor } from './prompt-target.ts';
import { renderBody } from './template.ts';

const render = (body: unknown, input: unknown, metadata: unknown = {}) =>
  JSON.parse(renderBody(body, { input, metadata })) as unknown;

describe('a body', () => {
  test.each<[body: unknown, input: unknown, rendered: unknown]>([
    ['{{input}}', { a: 1 }, { a: 1 }],
    ['{{ input }}', [1, 2], [1, 2]],
    ['{{input.a.b}}', { a: { b: null } }, null],
    ['{{input.0}}', ['first'], 'first'],
    ['Say {{input}}!', 'hello "you"', 'Say hello "you"!'],
    ['Say {{input}}!', { a: 1 }, 'Say {"a":1}!'],
    ['{{input.a}}{{input.a}}', { a: 1.5 }, '1.51.5'],
    [{ '{{input}}': '{{input}}', n: [1, null, true] }, 'x', { '{{input}}': 'x', n: [1, null, true] }],
    ['{{other}} {{inputs}} {{input}', 'x', '{{other}} {{inputs}} {{input}'],
    ['{{metadata.user}} {{metadata}}', 'x', 'u {"user":"u"}'],
    ['$& {{input}}', '$1$$', '$& $1$$'],
    [null, 'x', null],
  ])('%j with %j is %j', (body, input, rendered) => expect(render(body, input, { user: 'u' })).toEqual(rendered));

  test('without placeholders is the same, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (body, input) => {
        fc.pre(!JSON.stringify(body).includes('{{'));
        expect(renderBody(body, { input, metadata: {} })).toBe(JSON.stringify(body));
      }),
    );
  });

  test('with an input alone is the input as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        expect(renderBody({ a: '{{input}}' }, { input, metadata: {} })).toBe(JSON.stringify({ a: input }));
      }),
    );
  });

  test('keeps numbers as they were written', () => {
    const json = '{"id":12345678901234567890,"n":1.10000000000000000001}';
    const input = parseKeepingNumbers(json, JSON.parse(json));
    expect(renderBody({ a: '{{input}}', b: '{{input.id}}', c: 'id {{input.id}}' }, { input, metadata: {} })).toBe(
      `{"a":${json},"b":12345678901234567890,"c":"id 12345678901234567890"}`,
    );
  });

  test.each<[string, unknown]>([
    ['{{input.a}}', {}],
    ['{{input.a}}', 'text'],
    ['{{input.a}}', null],
    ['x {{input.a.b}}', { a: 1 }],
    ['{{input.toString}}', {}],
    ['{{input.__proto__}}', {}],
    ['{{metadata.a}}', { a: 1 }],
  ])('%j with the input %j is an error of the item', (body, input) => {
    expect(() => render(body, input)).toThrow(/^The item has no (input|metadata)\./);
  });

  test('is bounded', () => {
    const input = 'a'.repeat(1_048_576);
    expect(() =>
      renderBody(
        Array.from({ length: 17 }, () => '{{input}}'),
        { input, metadata: {} },
      ),
    ).toThrow('more than 16 MiB');
    expect(() => renderBody('{{input}} '.repeat(17), { input, metadata: {} })).toThrow('more than 16 MiB');
  });
});

describe('the messages of a prompt', () => {
  const text = (resolved: string) => ({ type: 'text' as const, resolved });
  const chat = (...contents: string[]) => ({
    type: 'chat' as const,
    resolved: contents.map((content, index) => ({ role: index === 0 ? 'system' : 'user', content })),
  });

  test.each<[ReturnType<typeof text> | ReturnType<typeof chat>, unknown, string[]]>([
    [text('Hi {{name}}: {{ data }}'), { name: 'Ada', data: { a: [1] } }, ['Hi Ada: {"a":[1]}']],
    [text('Say {{input}}'), 'x', ['Say x']],
    [text('Say it'), 'x', ['Say it']],
    [text('Say {{input}}'), [1, 2], ['Say [1,2]']],
    [chat('Be {{input}}', 'Go'), 'kind', ['Be kind', 'Go']],
    [chat('Be kind'), 'A question', ['Be kind', 'A question']],
    [chat('Be kind'), 7, ['Be kind', '7']],
    [chat('Be {{how}}'), { how: 'kind' }, ['Be kind']],
    [chat('Use {{input}}'), { input: 'a field' }, ['Use a field']],
    [text('$& {{x}}'), { x: '{{y}}' }, ['$& {{y}}']],
    [text('\\{{x}} {{#if x}}{{x}}{{/if}} ${{ secrets.X }}'), { x: 1 }, ['{{x}} {{#if x}}1{{/if}} ${{ secrets.X }}']],
  ])('%j with %j are %j', (prompt, input, contents) => {
    expect(messagesFor(prompt, input).map(({ content }) => content)).toEqual(contents);
  });

  test('have the roles that model servers know', () => {
    const resolved = ['system', 'developer', 'assistant', 'user', 'anything'].map((role) => ({ role, content: role }));
    expect(messagesFor({ type: 'chat', resolved }, {}).map(({ role }) => role)).toEqual([
      'system',
      'system',
      'assistant',
      'user',
      'user',
    ]);
  });

  test.each<[string, unknown]>([
    ['{{missing}}', { a: 1 }],
    ['{{name}}', 'text'],
    ['{{input}}', { a: 1 }],
    ['{{toString}}', {}],
  ])('%j with %j are an error of the item', (prompt, input) => {
    expect(() => messagesFor(text(prompt), input)).toThrow(/^The item's input has no /);
  });
});
