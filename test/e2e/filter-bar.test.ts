import { expect, test } from 'vitest';
import { replaceText } from './replace-text.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const bar = () => page.getByRole('textbox', { name: 'Filter' });
const completion = (label: string) => page.getByRole('option', { name: label, exact: false }).first();
/** The text of the editor, without the buttons of its chips. */
const written = async () => (await bar().innerText()).replaceAll(/[≠×]/g, '').trim();
const filterOfUrl = () => new URL(page.url()).searchParams.get('filter');

test('a filter is completed by keys, applied and cleared', async () => {
  await openAs('viewer', '/traces?range=90d');
  await replaceText(bar(), 'stat');
  await completion('status').waitFor();
  await bar().press('ArrowDown');
  await bar().press('Enter');
  await expect.poll(written).toBe('status:');
  await bar().press('e');
  await completion('error').waitFor();
  await bar().press('ArrowDown');
  await bar().press('Tab');
  await expect.poll(written).toBe('status:error');
  await bar().press('Enter');
  await expect.poll(filterOfUrl).toBe('status:error');
  const path = `/v1/projects/${dashboard.projectId}/traces?range=90d&status=error&limit=100`;
  const { traces, nextCursor } = (await (await page.request.get(path)).json()) as {
    traces: unknown[];
    nextCursor: string | null;
  };
  await page.getByText(`${traces.length}${nextCursor === null ? '' : '+'} traces`, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect.poll(filterOfUrl).toBeNull();
});

test('what is typed replaces what was selected just before, of which the editor has not been told', async () => {
  await openAs('viewer', '/traces?range=90d&filter=status:error');
  await expect.poll(written).toBe('status:error');
  // What a browser sends of a key before it has told of a changed selection.
  await bar().evaluate((editor) => {
    const whole = new StaticRange({
      startContainer: editor,
      startOffset: 0,
      endContainer: editor,
      endOffset: editor.childNodes.length,
    });
    const typed = { inputType: 'insertText', data: 'user:ada', targetRanges: [whole], bubbles: true, cancelable: true };
    editor.dispatchEvent(new InputEvent('beforeinput', typed));
  });
  await expect.poll(written).toBe('user:ada');
});

test('values of the last week are offered', async () => {
  await openAs('viewer', '/traces?range=90d');
  await replaceText(bar(), 'model:gpt');
  await completion('gpt-4o-2024-08-06').waitFor();
  await completion('gpt-4o-2024-08-06').click();
  await expect.poll(written).toBe('model:gpt-4o-2024-08-06');
});

test('the values behind a key of metadata are offered on Ctrl-Space', async () => {
  const time = new Date().toISOString();
  const span = { type: 'span', traceId: 'of-tenant', spanId: 's', name: 'of a tenant', startTime: time, endTime: time };
  await dashboard.send([{ ...span, metadata: { tenant: 'acme corp' } }]);
  await openAs('viewer', '/explore?on=spans&range=1h');
  await bar().fill('metadata.tenant:');
  await expect
    .poll(async () => {
      // It may not be readable yet.
      await bar().press('Escape');
      await bar().press('Control+Space');
      const offered = completion('acme corp').waitFor({ timeout: 1_500 });
      return offered.then(
        () => true,
        () => false,
      );
    })
    .toBe(true);
  await completion('acme corp').click();
  await expect.poll(written).toBe('metadata.tenant:"acme corp"');
  await bar().press('Enter');
  await page.getByText('of a tenant').first().waitFor();
});

test('what cannot be read is told, and corrected by the suggestion', async () => {
  await openAs('viewer', '/sessions');
  await replaceText(bar(), 'latncy:>2s');
  await bar().press('Enter');
  await page.getByText('There is no field latncy; did you mean latency?').waitFor();
  expect(filterOfUrl()).toBeNull();
  await page.getByRole('button', { name: 'Use latency' }).click();
  await expect.poll(written).toBe('latency:>2s');
  await bar().press('Enter');
  await expect.poll(filterOfUrl).toBe('latency:>2s');
});

test('a chip is turned into its opposite, and removed, at once', async () => {
  await openAs('viewer', '/traces?range=90d&filter=status:error%20environment:production');
  const act = (title: string, index: number) => bar().getByTitle(title).nth(index).dispatchEvent('mousedown');
  await expect.poll(written).toBe('status:error environment:production');
  await act('Turn this condition into its opposite', 1);
  await expect.poll(filterOfUrl).toBe('status:error -environment:production');
  await act('Turn this condition into its opposite', 1);
  await expect.poll(filterOfUrl).toBe('status:error environment:production');
  await act('Remove this condition', 0);
  await expect.poll(filterOfUrl).toBe('environment:production');
});

/** Clicks right of the last chip, on its line. */
async function clickBehindChips(): Promise<void> {
  const chips = await bar().getByTitle('Remove this condition').last().boundingBox();
  if (chips === null) throw new Error('There is no chip.');
  await page.mouse.click(chips.x + chips.width + 8, chips.y + chips.height / 2);
}

test('a click behind the chips begins another term and opens its completions; one that is left leaves the filter as it was', async () => {
  await openAs('viewer', '/traces?range=90d&filter=status:error%20tool:*');
  await expect.poll(written).toBe('status:error tool:*');
  await clickBehindChips();
  await completion('latency').waitFor();
  await page.keyboard.type('cost:>0.01');
  await expect.poll(written).toBe('status:error tool:* cost:>0.01');
  await page.keyboard.press('Enter');
  await expect.poll(filterOfUrl).toBe('status:error tool:* cost:>0.01');
  await page.keyboard.press('Escape');
  await clickBehindChips();
  await expect.poll(async () => (await bar().textContent())?.endsWith(' ')).toBe(true);
  await bar().blur();
  await expect.poll(async () => (await bar().textContent())?.endsWith(' ')).toBe(false);
  expect(filterOfUrl()).toBe('status:error tool:* cost:>0.01');
});

test('a click in the last chip goes on with its term', async () => {
  await openAs('viewer', '/traces?range=90d&filter=environment:production%20user:ada');
  await expect.poll(written).toBe('environment:production user:ada');
  const value = await bar().getByText('ada', { exact: true }).boundingBox();
  if (value === null) throw new Error('The value is not shown.');
  await page.mouse.click(value.x + value.width - 1, value.y + value.height / 2);
  await page.keyboard.type('m');
  await expect.poll(written).toBe('environment:production user:adam');
});

test('a link with a filter that cannot be read tells where, and lists nothing', async () => {
  await openAs('viewer', '/explore?filter=status:error%20latncy:%3E2s');
  await page.getByText('At character 14: There is no field latncy; did you mean latency?').waitFor();
  await page.getByText('The filter can’t be read').waitFor();
  await page.getByRole('button', { name: 'Use latency' }).click();
  await expect.poll(filterOfUrl).toBe('status:error latency:>2s');
  await page.getByText('The filter can’t be read').waitFor({ state: 'detached' });
});

test.each(['/alerts/new', '/evaluators/new'])('a form at %s keeps what is typed in its filter, however fast', async (path) => {
  await openAs('owner', path);
  const typed = 'status:error latency:>2s user:ada "some text"';
  await bar().click();
  await page.keyboard.type(typed);
  await page.keyboard.press('Escape');
  await expect.poll(written).toBe(typed);
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect.poll(written).not.toContain('status');
  await replaceText(bar(), 'latncy:>2s');
  await bar().press('Enter');
  await page.getByText('There is no field latncy; did you mean latency?').waitFor();
  await page.getByRole('button', { name: 'Use latency' }).click();
  await expect.poll(written).toBe('latency:>2s');
});
