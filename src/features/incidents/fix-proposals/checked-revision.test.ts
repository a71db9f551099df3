import { describe, expect, test } from 'vitest';
import type { StoredVersion } from '../../prompts/index.ts';
import { checkedRevision, UnusableAnswer } from './checked-revision.ts';

const version = { id: 'id', name: 'answers', version: 3 };
const text: StoredVersion = { ...version, type: 'text', prompt: 'Answer {{question}} with {{> style }}.' };
const chatOf = (...messages: object[]): StoredVersion => ({ ...version, type: 'chat', prompt: JSON.stringify(messages) });
const system = (content: string) => ({ role: 'system', content });
const chat = chatOf(system('Be brief.'), { role: 'user', content: '{{question}}' });
const cached = chatOf({ ...system('Be brief.'), cache: true });
const rationale = 'It was vague.';

describe('an answer that is refused', () => {
  const cases: ReadonlyArray<[what: string, base: StoredVersion, answer: Record<string, unknown>, reason: RegExp]> = [
    ['no rationale', text, { prompt: 'Other.' }, /without a rationale/],
    ['a blank rationale', text, { prompt: 'Other.', rationale: ' \n' }, /without a rationale/],
    ['no prompt', text, { rationale }, /with no text as the prompt/],
    ['a blank text', text, { rationale, prompt: ' \n' }, /with an empty prompt/],
    ['messages for a text', text, { rationale, prompt: [system('Other.')] }, /with no text as the prompt/],
    ['an unchanged text', text, { rationale, prompt: text.prompt }, /the prompt of version 3 unchanged/],
    [
      'a new variable',
      text,
      { rationale, prompt: 'Answer {{question}} in {{ tone }}.' },
      /variables that version 3 does not have \(\{\{tone\}\}\)/,
    ],
    [
      'a new reference',
      text,
      { rationale, prompt: '{{> secrets }}' },
      /references that version 3 does not have \(\{\{> secrets \}\}\)/,
    ],
    ['another version of a reference', text, { rationale, prompt: '{{> style#1 }}' }, /\(\{\{> style#1 \}\}\)/],
    ['NUL characters', text, { rationale, prompt: 'a\0' }, /must not have NUL characters/],
    ['a prompt over 1 MiB', text, { rationale, prompt: 'x'.repeat(1_048_577) }, /must have at most 1,048,576 bytes/],
    ['many new variables', text, { rationale, prompt: '{{a}}{{b}}{{c}}{{d}}{{e}}{{f}}' }, /\(\{\{a\}\}, .*\{\{e\}\}, others\)/],
    ['no messages', chat, { rationale, prompt: {} }, /with no messages as the prompt/],
    ['an empty list of messages', chat, { rationale, prompt: [] }, /with an empty prompt/],
    ['blank messages', chat, { rationale, prompt: [system(' ')] }, /with an empty prompt/],
    ['a text for messages', chat, { rationale, prompt: 'Be exact.' }, /must be valid JSON/],
    ['a message without content', chat, { rationale, prompt: [{ role: 'system' }] }, /content that is a string/],
    ['a new variable in a message', chat, { rationale, prompt: [system('{{tone}}')] }, /\(\{\{tone\}\}\)/],
    ['unchanged messages', chat, { rationale, prompt: chat.prompt }, /unchanged/],
    ['more messages, where fields would be lost', cached, { rationale, prompt: [system('a'), system('b')] }, /would be lost/],
    [
      'another role, where fields would be lost',
      cached,
      { rationale, prompt: [{ role: 'user', content: 'a' }] },
      /would be lost/,
    ],
  ];
  test.each(cases)('%s', (_what, base, answer, reason) => {
    const check = () => checkedRevision(base, answer);
    expect(check).toThrow(UnusableAnswer);
    expect(check).toThrow(reason);
    expect(check).toThrow(/^The model answered [^\n]*; try again, or choose another model\.$/);
  });
});

test('a text keeps variables and references, in any spacing', () => {
  const prompt = 'Answer {{ question }} briefly with {{>style}}.';
  expect(checkedRevision(text, { rationale, prompt })).toEqual({
    prompt,
    rationale,
    diff: [
      { op: 'remove', text: text.prompt },
      { op: 'add', text: prompt },
    ],
    droppedVariables: [],
  });
});

test('a variable that is left out is named', () => {
  expect(checkedRevision(text, { rationale, prompt: 'Answer.' }).droppedVariables).toEqual(['question']);
});

test('messages come as an array or as JSON, and may change in number', () => {
  const messages = [system('Be exact.')];
  for (const prompt of [messages, JSON.stringify(messages)])
    expect(checkedRevision(chat, { rationale, prompt })).toMatchObject({
      prompt: JSON.stringify(messages),
      droppedVariables: ['question'],
    });
});

test('other fields are those of the base, whatever the model adds', () => {
  const { prompt } = checkedRevision(cached, { rationale, prompt: [{ ...system('Be exact.'), cache: false, more: 1 }] });
  expect(JSON.parse(prompt)).toEqual([{ ...system('Be exact.'), cache: true }]);
});

test('a long rationale is cut, and made storable', () => {
  const revision = checkedRevision(text, { rationale: `a\0${'b'.repeat(30_000)}`, prompt: 'Answer.' });
  expect(revision.rationale).toHaveLength(20_000);
  expect(revision.rationale).not.toContain('\0');
});
