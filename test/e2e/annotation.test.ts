import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { judgeSlug } from './special-evaluators.ts';
import { toolTraceId } from './special-traces.ts';
import { dashboard, intercept, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const parameter = (name: string) => new URL(page.url()).searchParams.get(name);

/** Waits until the queue shows a trace other than `before` and takes keys for it. @returns its ID */
async function queuedTrace(before: string | null = null): Promise<string> {
  const link = page.getByRole('link', { name: 'View trace', exact: true });
  const shown = async () => /\/traces\/([^/?]+)/.exec((await link.getAttribute('href')) ?? '')?.[1] ?? before;
  await expect.poll(shown).not.toBe(before);
  await page.locator('#annotation[aria-busy=false]').waitFor();
  return (await shown()) ?? '';
}

/** Waits until the service returns a score that was just recorded: it takes up to two seconds. */
async function scoreIsStored(traceId: string, evaluator: string): Promise<void> {
  const read = async () => {
    const answer = await page.request.get(`/v1/projects/${dashboard.projectId}/traces/${traceId}`);
    const { scores } = (await answer.json()) as { scores: Array<{ evaluator: string }> };
    return scores.some((score) => score.evaluator === evaluator);
  };
  await expect.poll(read).toBe(true);
}

test('a queue is scored with the keyboard, and the URL keeps the position', async () => {
  await openAs('owner', '/annotation?evaluator=by-hand');
  await page.getByRole('heading', { level: 2, name: 'invoke_agent weather' }).waitFor();
  await page.getByText('Yes: 7 mm of rain and a strong wind.').waitFor();
  const first = await queuedTrace();
  await page.keyboard.press('c');
  const comment = page.getByLabel('Comment');
  const focused = () => comment.evaluate((box) => box === document.activeElement);
  await expect.poll(focused).toBe(true);
  await page.keyboard.type('pfn, all in a comment');
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe(false);
  await page.keyboard.press('p');
  await page.getByText('1 scored').waitFor();
  const second = await queuedTrace(first);
  await page.keyboard.press('n');
  const third = await queuedTrace(second);
  await page.reload();
  expect(await queuedTrace()).toBe(third);
  expect([parameter('trace'), parameter('done')]).toEqual([third, '1']);
  await page.keyboard.press('b');
  expect(await queuedTrace(third)).toBe(second);
  await page.keyboard.press('f');
  await page.getByText('2 scored').waitFor();
  await scoreIsStored(first, 'by-hand');
  await scoreIsStored(second, 'by-hand');
  await page.goto(`${dashboard.root}/traces/${first}?view=trace`);
  const scores = page.getByRole('region', { name: 'Scores' });
  await scores.getByText('pfn, all in a comment').waitFor();
  await scores.getByText(/by Administrator/).waitFor();
  // Scored traces are not queued again.
  await page.goto(`${dashboard.root}/annotation?evaluator=by-hand`);
  await page.getByRole('group', { name: 'Verdict' }).waitFor();
  expect([first, second]).not.toContain(parameter('trace'));
  await page.goto(`${dashboard.root}/annotation?evaluator=by-hand&pick=failed`);
  await expect.poll(() => parameter('trace')).toBe(second);
  await page.getByRole('group', { name: 'Verdict' }).waitFor();
  expect(await page.getByRole('button', { name: /^Fail/ }).getAttribute('aria-pressed')).toBe('true');
});

test('one click scores with a slug that was just typed, and the comment', async () => {
  await openAs('owner', `/traces/${toolTraceId}?span=answer`);
  await page.getByRole('button', { name: 'Score span' }).click();
  const form = page.getByRole('region', { name: 'Score span' });
  await form.getByLabel('Comment').fill('typed before the slug');
  await form.getByLabel('Evaluator').fill('typed-on-a-span');
  await form.getByRole('button', { name: 'Pass', exact: true }).click();
  const given = page.getByRole('region', { name: 'Scores' }).getByRole('listitem').filter({ hasText: 'typed-on-a-span' });
  await given.getByText('typed before the slug').waitFor();
  await page.goto(`${dashboard.root}/annotation?evaluator=by-hand&pick=all`);
  const first = await queuedTrace();
  await page.getByLabel('Comment').fill('typed before the slug');
  await page.getByLabel('Evaluator').fill('typed-in-the-queue');
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: 'Pass P' }).click();
  expect((await sent).postDataJSON()).toMatchObject({
    traceId: first,
    evaluator: 'typed-in-the-queue',
    comment: 'typed before the slug',
  });
  await page.getByText('1 scored').waitFor();
  await queuedTrace(first);
  expect(parameter('evaluator')).toBe('typed-in-the-queue');
});

test('a score of a trace is given and left by keyboard, and the focus comes back', async () => {
  await openAs('owner', `/traces/${toolTraceId}?view=trace`);
  const button = page.getByRole('button', { name: 'Score trace' });
  const form = page.getByRole('region', { name: 'Score trace' });
  const isFocused = () => button.evaluate((element) => element === document.activeElement);
  for (const leave of ['Escape', 'Cancel']) {
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => form.getByLabel('Evaluator').evaluate((element) => element === document.activeElement)).toBe(true);
    if (leave === 'Escape') await page.keyboard.press('Escape');
    else {
      // A written comment is not lost by one key.
      await form.getByLabel('Comment').fill('half-written');
      await page.keyboard.press('Escape');
      expect(await form.getByLabel('Comment').inputValue()).toBe('half-written');
      await form.getByRole('button', { name: 'Cancel' }).press('Enter');
    }
    await form.waitFor({ state: 'detached' });
    await expect.poll(isFocused).toBe(true);
  }
});

test('a new slug without a score restarts the queue', async () => {
  await openAs('owner', '/annotation?evaluator=by-hand&pick=all');
  const first = await queuedTrace();
  await page.keyboard.press('n');
  await queuedTrace(first);
  await page.getByLabel('Evaluator').fill('another');
  await page.keyboard.press('Enter');
  await expect.poll(() => [parameter('evaluator'), parameter('trace')]).toEqual(['another', first]);
});

test('a double click on a verdict scores one trace', async () => {
  await openAs('owner', '/annotation?evaluator=twice');
  const pass = page.getByRole('button', { name: 'Pass P' });
  await queuedTrace();
  await settled(page);
  let scored = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') scored += 1;
  });
  await pass.dblclick();
  await page.getByText('1 scored').waitFor();
  await settled(page);
  // A slower second click would hit the next trace.
  await pass.hover();
  for (const clickCount of [1, 2]) {
    await page.mouse.down({ clickCount });
    await page.mouse.up({ clickCount });
    await page.getByText('2 scored').waitFor();
    await settled(page);
  }
  expect(scored).toBe(2);
  // Two key events in one task score once.
  await page.evaluate(() => {
    for (let press = 0; press < 2; press++)
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', bubbles: true }));
  });
  await page.getByText('3 scored').waitFor();
  await settled(page);
  expect(scored).toBe(3);
});

test('a number outside the scale is rejected at its field', async () => {
  await openAs('owner', `/annotation?evaluator=${judgeSlug}&as=number&pick=all`);
  await page.getByText('Scale 1–5, passes at ≥ 4').waitFor();
  const score = page.getByLabel('Score', { exact: true });
  for (const outside of ['99', '0.5']) {
    await score.fill(outside);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Enter a number from 1 to 5.').waitFor();
  }
  expect(await score.getAttribute('aria-invalid')).toBe('true');
  await settled(page);
  expect(parameter('done')).toBeNull();
  await score.fill('5');
  expect(await page.getByText('Enter a number from 1 to 5.').count()).toBe(0);
  await page.keyboard.press('Enter');
  await page.getByText('1 scored').waitFor();
});

/** Collects the scores that the page records, and returns when each request was sent. */
function watchScores(): Array<Record<string, unknown>> {
  const scores: Array<Record<string, unknown>> = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') scores.push(request.postDataJSON() as Record<string, unknown>);
  });
  return scores;
}

/** Holds the requests that match until `release` is called. */
async function hold(url: RegExp, method: string): Promise<{ release(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await intercept(url, async (route) => {
    if (route.request().method() === method) await promise;
    await route.continue();
  });
  return { release: resolve };
}

test('a comment that is typed directly after a verdict belongs to the next trace', async () => {
  await openAs('owner', '/annotation?evaluator=typed-ahead');
  const first = await queuedTrace();
  const scores = watchScores();
  const saving = await hold(/\/scores$/, 'POST');
  await page.keyboard.press('p');
  await page.keyboard.press('c');
  await page.keyboard.type('pf');
  saving.release();
  await page.keyboard.type('nb, typed ahead');
  await page.getByText('1 scored').waitFor();
  const second = await queuedTrace(first);
  const comment = page.getByLabel('Comment');
  expect(await comment.inputValue()).toBe('pfnb, typed ahead');
  expect(await comment.evaluate((box) => box === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('f');
  await page.getByText('2 scored').waitFor();
  expect(scores).toMatchObject([
    { traceId: first, score: 1 },
    { traceId: second, score: 0, comment: 'pfnb, typed ahead' },
  ]);
  expect(scores[0]).not.toHaveProperty('comment');
});

test('a comment is kept when its score cannot be saved', async () => {
  await openAs('owner', '/annotation?evaluator=kept');
  const first = await queuedTrace();
  await intercept(/\/scores$/, (route) =>
    route.fulfill({ status: 503, json: { error: 'Try again later.', code: 'unavailable' } }),
  );
  await page.getByLabel('Comment').fill('cannot be saved');
  await page.getByRole('button', { name: 'Pass P' }).click();
  await page.getByText('Try again later.').waitFor();
  expect(await queuedTrace()).toBe(first);
  expect(await page.getByLabel('Comment').inputValue()).toBe('cannot be saved');
});

test('keys are ignored until the next trace is on the screen', async () => {
  await openAs('owner', '/settings/organization');
  // The list that contains the trace after the first one.
  const listing = await hold(/\/traces\?.*to=/, 'GET');
  await page.goto(`${dashboard.root}/annotation?evaluator=unseen`);
  const first = await queuedTrace();
  const scores = watchScores();
  await page.keyboard.press('n');
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  await page.keyboard.type('pfpf');
  listing.release();
  const second = await queuedTrace(first);
  expect(scores).toEqual([]);
  await page.keyboard.press('p');
  await page.getByText('1 scored').waitFor();
  expect(scores).toMatchObject([{ traceId: second }]);
});

test('the next trace is loaded in advance', async () => {
  await openAs('owner', '/annotation?evaluator=in-advance');
  const first = await queuedTrace();
  await settled(page);
  await intercept(/\/traces[/?]/, (route) => route.abort());
  await page.keyboard.press('n');
  await queuedTrace(first);
  await page.getByRole('region', { name: 'Input and output' }).waitFor();
});

test("a trace shows its spans' scores by evaluator", async () => {
  const scored = [
    ['plan', 0.25, false],
    ['answer', 0.5, true],
    ['tool', 1, true],
  ] as const;
  await dashboard.send(
    scored.map(([spanId, score, passed]) => ({
      type: 'score',
      scoreId: `grouped-${spanId}`,
      traceId: toolTraceId,
      spanId,
      evaluator: 'grouped',
      score,
      passed,
    })),
  );
  await openAs('owner', '/settings/organization');
  await scoreIsStored(toolTraceId, 'grouped');
  await page.goto(`${dashboard.root}/traces/${toolTraceId}?view=trace`);
  const group = page.getByRole('list', { name: 'Scores of spans' }).getByRole('listitem').filter({ hasText: 'grouped' }).first();
  await group.getByText('2 of 3 passed').waitFor();
  await group.getByText('0.58').waitFor();
  expect(await group.getByRole('button', { name: 'execute_tool forecast' }).isVisible()).toBe(false);
  await group.getByText('3 scores').click();
  await group.getByRole('button', { name: 'execute_tool forecast' }).click();
  await expect.poll(() => parameter('span')).toBe('tool');
});
