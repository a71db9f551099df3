import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ModelError } from './model-error.ts';
import { QuestionSlots } from './question-slots.ts';

const limits = { maxRunning: 3, maxRunningOfProject: 2, maxWaiting: 4, maxWaitingOfProject: 3 };

/** A question that the test answers. */
function opened(slots: QuestionSlots, projectId: string, signal?: AbortSignal) {
  const answer = Promise.withResolvers<void>();
  const question = { started: false, error: null as ModelError | null, answer: answer.resolve, ended: Promise.resolve() };
  const ask = () => {
    question.started = true;
    return answer.promise;
  };
  question.ended = slots.run(projectId, ask, signal).catch((error: unknown) => {
    if (!(error instanceof ModelError)) throw error;
    question.error = error;
  });
  return question;
}

/** Waits until every promise that does not depend on an answer has settled. */
const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

it('limits the questions of a project without delaying other projects', async () => {
  const slots = new QuestionSlots(limits);
  const [first, second, third, other] = ['a', 'a', 'a', 'b'].map((project) => opened(slots, project));
  await settled();
  expect([first, second, third, other].map((question) => question?.started)).toEqual([true, true, false, true]);
  first?.answer();
  await settled();
  expect(third?.started).toBe(true);
});

it('releases the slot of a question that fails', async () => {
  const slots = new QuestionSlots({ ...limits, maxRunning: 1 });
  await expect(slots.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.run('a', () => Promise.resolve(7))).toBe(7);
});

it('refuses a question beyond the queue, of the project and of the process', async () => {
  const slots = new QuestionSlots(limits);
  const ofProject = Array.from({ length: 6 }, () => opened(slots, 'a'));
  await settled();
  expect(ofProject.map(({ error }) => error?.code)).toEqual([...Array(5).fill(undefined), 'busy']);
  expect(ofProject[5]?.error?.retryable).toBe(true);
  const others = ['b', 'c', 'd'].map((project) => opened(slots, project));
  await settled();
  expect(others.map(({ started, error }) => [started, error?.code])).toEqual([
    [true, undefined],
    [false, undefined],
    [false, 'busy'],
  ]);
});

it('removes a waiting question whose signal aborts', async () => {
  const slots = new QuestionSlots({ ...limits, maxRunning: 1 });
  const running = opened(slots, 'a');
  const abort = new AbortController();
  const [cancelled, next] = [opened(slots, 'a', abort.signal), opened(slots, 'b')];
  abort.abort();
  await cancelled.ended;
  expect(cancelled).toMatchObject({ started: false, error: { code: 'unavailable', retryable: true } });
  const late = opened(slots, 'a', abort.signal);
  await late.ended;
  expect(late.started).toBe(false);
  running.answer();
  await settled();
  expect(next.started).toBe(true);
});

it('keeps its limits and starts a waiting question when a slot is free, in any order of events', async () => {
  const event = fc.record({
    kind: fc.constantFrom('ask', 'answer', 'abort'),
    project: fc.constantFrom('a', 'b', 'c'),
    at: fc.nat(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
      const slots = new QuestionSlots(limits);
      const all: Array<ReturnType<typeof opened> & { project: string; abort: AbortController; done: boolean }> = [];
      for (const { kind, project, at } of events) {
        const abort = new AbortController();
        const open = all.filter(({ done, error }) => !done && error === null);
        const chosen = open[at % Math.max(open.length, 1)];
        if (kind === 'ask') all.push(Object.assign(opened(slots, project, abort.signal), { project, abort, done: false }));
        else if (kind === 'answer' && chosen?.started) {
          chosen.done = true;
          chosen.answer();
        } else if (kind === 'abort') chosen?.abort.abort();
        await settled();
        const running = all.filter(({ started, done }) => started && !done);
        const waiting = all.filter(({ started, error }) => !started && error === null);
        const runningOf = (name: string) => running.filter((question) => question.project === name).length;
        expect(running.length).toBeLessThanOrEqual(limits.maxRunning);
        for (const name of ['a', 'b', 'c']) expect(runningOf(name)).toBeLessThanOrEqual(limits.maxRunningOfProject);
        expect(waiting.length).toBeLessThanOrEqual(limits.maxWaiting);
        const startable = waiting.filter((question) => runningOf(question.project) < limits.maxRunningOfProject);
        if (running.length < limits.maxRunning) expect(startable).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});
