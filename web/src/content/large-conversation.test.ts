import { renderToStaticMarkup } from 'react-dom/server';
import { createElement } from 'react';
import { expect, test } from 'vitest';
import { TooltipProvider } from '../design/tooltip.tsx';
import { ChatView } from './chat-view.tsx';
import type { Message } from './message.ts';
import { readMessages, readMessagesInSteps } from './read-messages.ts';
import { runInSteps } from './steps.ts';

const count = 20_000;

/** Messages that count how often their content is read. */
function countedMessages(): { messages: object[]; reads: () => number } {
  let reads = 0;
  const messages = Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    get content() {
      reads += 1;
      return `message ${index}`;
    },
  }));
  return { messages, reads: () => reads };
}

/** The largest number of reads in one step, and the result. */
function stepwise<Result>(
  steps: Generator<void, Result>,
  reads: () => number,
): { largest: number; steps: number; result: Result } {
  let largest = 0;
  for (let taken = 1; ; taken++) {
    const before = reads();
    const { done, value } = steps.next();
    largest = Math.max(largest, reads() - before);
    if (done === true) return { largest, steps: taken, result: value };
  }
}

test('20,000 messages are read in bounded steps', () => {
  const { messages, reads } = countedMessages();
  const { largest, steps, result } = stepwise(readMessagesInSteps(messages), reads);
  expect(result).toHaveLength(count);
  // While it is read, a message is two units of work.
  expect(largest).toBeLessThanOrEqual(2_500);
  expect(steps).toBeGreaterThanOrEqual(16);
});

test('one message with 100,000 parts and calls is read in bounded steps', () => {
  let reads = 0;
  const part = {
    type: 'text',
    get text() {
      reads += 1;
      return 'x';
    },
  };
  const message = {
    role: 'assistant',
    content: Array.from({ length: 50_000 }, () => part),
    tool_calls: Array.from({ length: 50_000 }, (_, index) => ({ id: String(index), name: 'a', arguments: '{}' })),
  };
  const { largest, steps, result } = stepwise(readMessagesInSteps([message]), () => reads);
  expect(result?.[0]?.parts).toHaveLength(100_000);
  expect(largest).toBeLessThanOrEqual(5_000);
  // 100,000 parts are visited three times: read, numbered and paired.
  expect(steps).toBeGreaterThanOrEqual(60);
});

test('steps give the same conversation as reading at once', () => {
  const call = (index: number) => ({ role: 'assistant', tool_calls: [{ id: `c${index}`, name: 'a', arguments: { index } }] });
  const result = (index: number) => ({ role: 'tool', tool_call_id: `c${index}`, content: `${index}` });
  const conversation = Array.from({ length: 9_000 }, (_, index) => [call(index), result(index)]).flat();
  const messages = stepwise(readMessagesInSteps(conversation), () => 0).result;
  expect(messages).toHaveLength(9_000);
  expect(messages).toEqual(readMessages(conversation));
});

test('a run takes one task per step and can be cancelled', () => {
  const tasks: Array<() => void> = [];
  const results: unknown[] = [];
  const schedule = (task: () => void) => tasks.push(task);
  const start = () =>
    runInSteps(readMessagesInSteps(countedMessages().messages), (result) => results.push(result?.length), schedule);
  start();
  let taken = 0;
  for (let task = tasks.shift(); task; task = tasks.shift()) {
    expect(results).toEqual([]);
    task();
    taken += 1;
  }
  expect(taken).toBeGreaterThanOrEqual(16);
  expect(results).toEqual([count]);
  const cancel = start();
  tasks.shift()?.();
  cancel();
  for (let task = tasks.shift(); task; task = tasks.shift()) task();
  expect(results).toEqual([count]);
});

const rendered = (messages: readonly Message[]) =>
  renderToStaticMarkup(createElement(TooltipProvider, null, createElement(ChatView, { messages })));
const items = (html: string) => html.split('<li').length - 1;
const textMessage = (text: string): Message => ({ role: 'user', name: null, parts: [{ kind: 'text', text }] });

test('a conversation of 20,000 messages renders its first and last 50', () => {
  const html = rendered(Array.from({ length: count }, (_, index) => textMessage(`message ${index}.`)));
  expect(items(html)).toBe(100);
  expect(html).toContain('message 49.');
  expect(html).not.toContain('message 50.');
  expect(html).toContain('Show 100 more messages (19,900 remaining)');
  expect(html).not.toContain('message 19949.');
  expect(html).toContain('message 19950.');
});

test('a conversation of 100 messages is rendered completely', () => {
  const html = rendered(Array.from({ length: 100 }, (_, index) => textMessage(`message ${index}.`)));
  expect(items(html)).toBe(100);
  expect(html).not.toContain('Show');
});

test('one message of several megabytes renders its beginning', () => {
  const html = rendered([textMessage('x'.repeat(5_000_000))]);
  expect(html.length).toBeLessThan(5_000);
  expect(html).toContain('Show remaining 5 MB');
});

test('a message of very many parts renders the first 20', () => {
  const parts = Array.from({ length: 200_000 }, (_, index) => ({ kind: 'text' as const, text: `part ${index}.` }));
  const html = rendered([{ role: 'user', name: null, parts }]);
  expect(html).toContain('part 19.');
  expect(html).not.toContain('part 20.');
  expect(html).toContain('Show 20 more parts (199,980 remaining)');
});

test('arguments of several megabytes are not serialized until the viewer asks for them', () => {
  let reads = 0;
  const element = {
    get text() {
      reads += 1;
      return 'x'.repeat(100);
    },
  };
  const call = { kind: 'tool-call', id: 'a', name: 'load', result: null, answered: true, place: 0 } as const;
  const list = Array.from({ length: 50_000 }, () => element);
  const html = rendered([{ role: 'assistant', name: null, parts: [{ ...call, arguments: list }] }]);
  expect(html).toContain('Large payload (');
  // Only its size is estimated.
  expect(reads).toBeLessThanOrEqual(110_000);
});
