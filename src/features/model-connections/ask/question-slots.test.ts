import { expect, it } from 'vitest';
import { turnLimits } from '../../../platform/budgets/index.ts';
import { ModelError } from './model-error.ts';
import { QuestionSlots } from './question-slots.ts';

const limits = { running: 3, runningOfOne: 2, waiting: 4, waitingOfOne: 3 };

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
  const slots = new QuestionSlots({ ...limits, running: 1 });
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

it('judges that hang in some projects leave places for the checks of others', async () => {
  const slots = new QuestionSlots(turnLimits.urgentQuestions);
  const hanging = Promise.withResolvers<void>();
  for (const project of ['a', 'b', 'c', 'd'])
    for (let question = 0; question < 60; question++) void slots.run(project, () => hanging.promise);
  expect(await slots.run('another', () => Promise.resolve('answered'))).toBe('answered');
  hanging.resolve();
});
