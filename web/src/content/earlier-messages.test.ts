import { expect, test } from 'vitest';
import { foldedMessages } from './earlier-messages.ts';
import type { Message } from './message.ts';
import { readMessages } from './read-messages.ts';

const said = (role: string, content: string) => ({ role, content });
const read = (...messages: object[]): Message[] => readMessages(messages) ?? [];
const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => said(index % 2 === 0 ? 'user' : 'assistant', `turn ${index}`));

test('of a long conversation the last two messages stay', () => {
  expect(foldedMessages(read(...turns(80)), null)).toEqual({ earlier: 78, added: null });
  expect(foldedMessages(read(...turns(3)), null)).toEqual({ earlier: 0, added: null });
});

test('what the previous call had is folded, and the new messages are counted', () => {
  expect(foldedMessages(read(...turns(80)), read(...turns(77)))).toEqual({ earlier: 77, added: 3 });
  expect(foldedMessages(read(...turns(80)), read(...turns(10)))).toEqual({ earlier: 72, added: 70 });
});

test('a call that was sent again, and one of another conversation', () => {
  expect(foldedMessages(read(...turns(8)), read(...turns(8)))).toEqual({ earlier: 6, added: 0 });
  const [system, other] = [said('system', 'Be brief.'), said('user', 'another question')];
  expect(foldedMessages(read(system, ...turns(8)), read(system, other))).toEqual({ earlier: 7, added: null });
});

test('a tool call of the previous call is the same with its result', () => {
  const asks = (id: string) => ({ role: 'assistant', tool_calls: [{ id, function: { name: 'get', arguments: '{}' } }] });
  const answers = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
  const before = [...turns(3), asks('1')];
  expect(foldedMessages(read(...before, answers('1'), asks('2'), answers('2')), read(...before))).toEqual({
    earlier: 4,
    added: 1,
  });
});
