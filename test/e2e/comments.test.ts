import { expect, test } from 'vitest';
import { settled, viewer } from './dashboard.ts';
import { toolTraceId } from './special-traces.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const comments = () => page.getByRole('region', { name: 'Comments', exact: true });
const comment = (text: string) => comments().getByRole('article').filter({ hasText: text });
const row = (name: string) => page.getByRole('treegrid', { name: 'Spans' }).getByRole('row', { name });
const parameter = (name: string) => new URL(page.url()).searchParams.get(name);

test('a comment mentions a member, who is led to it; it is resolved, edited and deleted', { timeout: 180_000 }, async () => {
  await openAs('owner', `/traces/${toolTraceId}?span=tool`);
  await settled(page);
  await page.keyboard.press('c');
  await comments().getByText('No comments on this span.').waitFor();
  const field = comments().getByRole('textbox', { name: 'Comment on the span' });
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);

  // The members are offered after an @; Enter takes the first.
  await field.pressSequentially('Is this right, @ver');
  await comments()
    .getByRole('option', { name: /Vera Viewer/ })
    .waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe(`Is this right, @${viewer.email} `);
  await field.pressSequentially('?');
  await page.keyboard.press('Control+Enter');
  await comment('Is this right').getByText('Vera Viewer').waitFor();
  expect(await field.inputValue()).toBe('');
  await row('execute_tool forecast').getByRole('img', { name: '1 comment' }).waitFor();

  // A draft stays with its span; what stands elsewhere is told.
  await field.fill('A draft');
  await row('check output policy').click();
  await comments().getByText('No comments on this span.').waitFor();
  await comments()
    .getByRole('button', { name: /execute_tool forecast/ })
    .click();
  await expect.poll(() => field.inputValue()).toBe('A draft');
  await field.fill('');

  // The viewer sees the mention, and opens it.
  await openAs('viewer', '');
  await page.getByRole('button', { name: 'Mentions: 2 unread' }).click();
  await page.getByRole('menuitem', { name: /Is this right/ }).click();
  await comment('Is this right').waitFor();
  expect(await comment('Is this right').getAttribute('aria-current')).toBe('true');
  expect(parameter('span')).toBe('tool');
  expect(await comments().getByRole('textbox').count()).toBe(0);
  // The other one is of the same trace: it has been on the screen.
  await page.getByRole('button', { name: 'Mentions', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => parameter('comment')).toBeNull();
  expect(await comments().count()).toBe(0);

  // By its link alone, without the span.
  await openAs('owner', `/traces/${toolTraceId}?comment=${dashboard.places.comment}`);
  await comment('two days ago').waitFor();
  await comments().getByText('1 resolved').waitFor();
  await comments()
    .getByRole('button', { name: /execute_tool forecast/ })
    .click();
  await comment('Is this right').getByRole('button', { name: 'Comment actions' }).click();
  await page.getByRole('menuitem', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).searchParams.get('span')).toBe('tool');
  await comment('Is this right').getByRole('button', { name: 'Comment actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = comments().getByRole('textbox', { name: 'Edit comment' });
  await edit.fill('Answered');
  await page.keyboard.press('Control+Enter');
  await comment('Answered').getByText('edited').waitFor();
  await comment('Answered').getByRole('button', { name: 'Resolve' }).click();
  await expect.poll(() => row('execute_tool forecast').getByRole('img', { name: '1 comment' }).count()).toBe(0);
  await comments().getByText('1 resolved').click();
  await comment('Answered').getByRole('button', { name: 'Comment actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await comments().getByText('No comments on this span.').waitFor();
});

test('a selected text is quoted', async () => {
  await openAs('owner', `/traces/${toolTraceId}?span=answer&comments=open`);
  const output = page.getByRole('region', { name: 'Output', exact: true });
  await output.getByText('Yes: 7 mm of rain').waitFor();
  await output.getByText('Yes: 7 mm of rain').selectText();
  await comments().getByRole('button', { name: 'Quote selection' }).click();
  const field = comments().getByRole('textbox', { name: 'Comment on the span' });
  expect(await field.inputValue()).toMatch(/^> Yes: 7 mm of rain/);
  await comments().getByRole('button', { name: 'On Output: remove' }).waitFor();
  await field.press('End');
  await field.pressSequentially('Enough?');
  await comments().getByRole('button', { name: 'Comment', exact: true }).click();
  await comment('Enough?').getByRole('blockquote').waitFor();
  await comment('Enough?').getByRole('button', { name: 'On Output' }).waitFor();
});
