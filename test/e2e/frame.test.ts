import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { owner, settled } from './dashboard.ts';
import { toolTraceId } from './special-traces.ts';
import { complaints, dashboard, focused, openAs, page, visitDashboard } from './visit.ts';
import { narrowSizes } from './width-faults.ts';

visitDashboard({ shares: true });

test('invalid parameters of a URL are dropped, but for a time range, which is named', async () => {
  await openAs('owner', '/traces?range=banana&status=broken&sort=-cost');
  await page.getByRole('table', { name: 'Traces' }).waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ sort: '-cost', unknownRange: 'banana' });
  await page.getByRole('status').filter({ hasText: 'Unknown time range “banana”. Showing: Last 30 days.' }).waitFor();
  await page.getByRole('button', { name: 'Time range: Last 30 days' }).waitFor();
});

test('a page that does not exist links to an existing one', async () => {
  await openAs('owner', '/no-such-page');
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Go to Overview' }).waitFor();
  expect(await page.title()).toBe('Page not found · Spanwise');
  await page.goto(`${dashboard.service.url}/o/default`);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Go to your projects' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.goto(`${dashboard.service.url}/o/default/p/none`);
  await page.getByRole('heading', { level: 1, name: 'Project not found' }).waitFor();
  await page.goto(`${dashboard.root}/settings`);
  await page.getByRole('heading', { name: /^API keys of/ }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/settings\/keys$/);
});

test('pointing at a link of the sidebar prefetches the page', async () => {
  await openAs('owner', '/settings/organization');
  await settled(page);
  const asked = page.waitForRequest('**/v1/projects/*/overview?range=30d');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Overview' }).hover();
  await asked;
  expect(new URL(page.url()).pathname).toMatch(/\/settings\/organization$/);
});

test('in a narrow window the sidebar is a drawer that a link or Escape closes', async () => {
  await openAs('owner', '', { size: narrowSizes[0] });
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  // One column.
  const cards = page.locator('section:has([role=img][aria-label^="Chart:"])');
  await cards.first().waitFor();
  const places = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().left));
  expect(places.length).toBeGreaterThan(3);
  expect(new Set(places).size).toBe(1);
  expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await menu.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
  await menu.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await menu.getByRole('button', { name: 'Go to' }).click();
  await page.getByRole('dialog', { name: 'Go to' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await menu.waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
});

describe('a viewer', () => {
  test('sees no write action', async () => {
    for (const path of [`/traces/${toolTraceId}`, '/settings/members', '/settings/organization', '/start']) {
      await openAs('viewer', path);
      await settled(page);
      expect(await page.getByRole('button', { name: /delete|remove|rename|revoke|rotate|create|add/i }).count(), path).toBe(0);
    }
  });

  test('sees which permission is missing', async () => {
    await openAs('viewer', '/settings/keys');
    await page.getByText('keys:manage').waitFor();
    expect(await page.getByRole('button', { name: /create api key/i }).count()).toBe(0);
  });
});

test('an admin is offered no change of an owner', async () => {
  await openAs('owner', '/settings/members');
  await page.route('**/v1/auth/session', async (route) => {
    const response = await route.fetch();
    const session = (await response.json()) as { organizations: Array<{ role: string }> };
    const organizations = session.organizations.map((one) => ({ ...one, role: 'admin' }));
    await route.fulfill({ response, json: { ...session, organizations } });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Remove Vera Viewer' }).waitFor();
  expect(await page.getByRole('button', { name: 'Remove Administrator' }).count()).toBe(0);
  expect(await page.getByLabel('Role of Administrator').count()).toBe(0);
});

test('a member that the organization has is refused beside the email, until the dialog is opened again', async () => {
  await openAs('owner', '/settings/members');
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite member' });
  const email = dialog.getByLabel('Email');
  await email.fill('viewer@example.com');
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.getByText('This person is a member already').waitFor();
  expect(await email.getAttribute('aria-invalid')).toBe('true');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Invite member' }).click();
  expect(await email.getAttribute('aria-invalid')).toBe(null);
});

test.each([
  ['owner', 'API keys'],
  ['viewer', 'Clients'],
] as const)('the settings open for the %s at the first section that the role may read', async (role, section) => {
  await openAs(role, '/settings');
  const link = page.getByRole('navigation', { name: 'Settings sections' }).getByRole('link', { name: section });
  await expect.poll(() => link.getAttribute('aria-current')).toBe('page');
});

describe('the frame', () => {
  beforeEach(() => openAs('owner', ''));

  test('keeps the chosen theme', async () => {
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).click();
    await page.reload();
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  });

  test('has a skip link as the first focusable element', async () => {
    await settled(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  test('opens a page by g and its letter, and by no letter alone, not even in the first second of the document', async () => {
    await settled(page);
    // Time stamps of events start at zero when the document is opened.
    const press = (key: string, timeStamp: number) =>
      page.evaluate(
        ([pressed, at]) => {
          const event = new KeyboardEvent('keydown', { key: pressed, bubbles: true });
          document.body.dispatchEvent(Object.defineProperty(event, 'timeStamp', { value: at }));
        },
        [key, timeStamp] as const,
      );
    await press('d', 300);
    await settled(page);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await press('g', 400);
    await press('m', 1399);
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
  });

  test('returns the focus when a dialog or the palette closes, and keeps typed text', async () => {
    const closed = async () => {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return expect.poll(focused);
    };
    await page.getByRole('button', { name: 'Show as table' }).first().focus();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to page, record, project or ID').waitFor();
    await (await closed()).toBe('Show as table');
    await page.goto(`${dashboard.root}/traces`);
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByRole('menuitem', { name: 'Custom range' }).click();
    await page.getByLabel('From').waitFor();
    await (await closed()).toMatch(/^Time range/);
    await page.goto(`${dashboard.root}/datasets`);
    await page.getByRole('button', { name: 'New dataset' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('half a name');
    await page.mouse.click(20, 400);
    await settled(page);
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('half a name');
    expect(await page.getByRole('textbox', { name: 'Name' }).evaluate((input) => input === document.activeElement)).toBe(true);
    await (await closed()).toBe('New dataset');
  });

  test('counts each click on a toggle button', async () => {
    await page.goto(`${dashboard.root}/traces/${toolTraceId}`);
    const errors = page.getByRole('button', { name: 'Errors' });
    await errors.dblclick();
    await expect.poll(() => errors.getAttribute('aria-pressed')).toBe('false');
    await errors.click();
    await expect.poll(() => errors.getAttribute('aria-pressed')).toBe('true');
  });

  test('keeps the time range', async () => {
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByRole('menuitem', { name: 'Last 7 days' }).click();
    const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Explore' });
    await expect.poll(() => link.getAttribute('href')).toContain('range=7d');
    await link.click();
    await page.getByRole('heading', { name: 'Explore' }).waitFor();
    expect(new URL(page.url()).searchParams.get('range')).toBe('7d');
  });

  test.each([
    ['?range=1h', 'Last hour'],
    ['?from=2026-01-01T00%3A00%3A00.000Z', 'custom'],
    ['', 'Last 30 days'],
  ])('keeps the range on pages with figures: %s', async (sent, shown) => {
    await page.goto(`${dashboard.root}/traces${sent}`);
    await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
    expect(new URL(page.url()).search).toBe(sent);
    for (const name of ['Overview', 'Models']) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.getByRole('button', { name: `Time range: ${shown}` }).waitFor();
      expect(new URL(page.url()).search).toBe(sent);
    }
    await page.goto(`${dashboard.root}/models/gpt-4o-2024-08-06${sent}`);
    await page.getByRole('button', { name: `Time range: ${shown}` }).waitFor();
    expect(new URL(page.url()).search).toBe(sent);
  });
});

describe('interruptions', () => {
  /** The console reports the failed requests that these tests provoke. */
  afterEach(() => complaints.splice(0));

  test('after the session expired, signing in again keeps typed text', async () => {
    await openAs('owner', '/evaluators/new');
    await page.getByLabel('Name').fill('Half a name');
    await page.context().clearCookies();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Explore' }).hover();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.getByLabel('Password').fill('not the password');
    await page.keyboard.press('Enter');
    await ended.getByRole('alert').waitFor();
    await ended.getByLabel('Password').fill(owner.password);
    await page.keyboard.press('Enter');
    await ended.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Half a name');
    const names = (await page.context().cookies()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['spanwise_browser', 'spanwise_session']);
  });

  test('signing in again returns the focus to the dialog that is open, and from there to its button', async () => {
    await openAs('owner', '/settings/connections');
    await page.getByRole('button', { name: 'New connection' }).click();
    const dialog = page.getByRole('dialog', { name: 'New model connection' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('half a name');
    await page.context().clearCookies();
    await page.keyboard.press('Enter');
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.getByLabel('Password').fill(owner.password);
    await page.keyboard.press('Enter');
    await ended.waitFor({ state: 'detached' });
    await expect.poll(() => dialog.evaluate((shown) => shown.contains(document.activeElement))).toBe(true);
    await dialog.getByRole('alert').filter({ hasText: 'Your session had ended.' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('New connection');
  });

  test('a member who is demoted keeps the form that was refused, until another page is opened', async () => {
    await openAs('viewer', '/settings/organization');
    let isMember = true;
    await page.route('**/v1/auth/session', async (route) => {
      const response = await route.fetch();
      const session = (await response.json()) as { organizations: Array<{ permissions: string[] }> };
      if (isMember) for (const { permissions } of session.organizations) permissions.push('evaluations:manage');
      await route.fulfill({ response, json: session });
    });
    await page.goto(dashboard.address('/evaluators/new'));
    await page.getByLabel('Slug').fill('half-a-slug');
    await page.getByLabel('Text').fill('sorry');
    isMember = false;
    await page.getByRole('button', { name: 'Create evaluator' }).click();
    await page.getByRole('alert').filter({ hasText: 'evaluations:manage' }).waitFor();
    await settled(page);
    // Neither the page that is loaded in advance nor the palette takes the form away.
    const loaded = page.waitForResponse(/\/outcomes/);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Outcomes' }).hover();
    await loaded;
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await settled(page);
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Slug').inputValue()).toBe('half-a-slug');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Evaluators' }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('table', { name: 'Evaluators' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'New evaluator' }).count()).toBe(0);
  });

  const scenario = '/simulations/scenarios/{scenario}';
  test.each([
    ['', ['changes'], ['Changes can’t be loaded.']],
    ['/prompts', ['folders'], ['Folders can’t be loaded.']],
    [
      scenario,
      ['evaluators', 'datasets/*', 'datasets/*/items'],
      ['The evaluators can’t be loaded.', 'The dataset can’t be loaded', 'The items can’t be loaded'],
    ],
    ['/simulations/runs/{batchRun}', ['batch-runs'], ['The runs to compare with can’t be loaded.']],
    ['/evaluators/answer-quality', ['model-connections'], ['Current connection']],
  ])('%s: what fails is not said to be missing: %j', async (path, failing, shown) => {
    await openAs('owner', '/settings/organization');
    const isFailing = new RegExp(`^/v1/(.+/)?(${failing.join('|').replaceAll('*', '[^/]+')})$`);
    await page.route(
      ({ pathname }) => isFailing.test(pathname),
      (route) => route.fulfill({ status: 500, json: { error: 'Try later.', code: 'internal' } }),
    );
    await page.goto(dashboard.address(path));
    for (const text of shown) await page.getByText(text).first().waitFor({ state: 'attached' });
  });

  test.each([
    { path: '/annotation?q=nothing-has-this-text', failing: 'traces', loaded: () => page.getByText('Queue empty') },
    { path: '/evaluators', failing: 'evaluations', loaded: () => page.getByTitle(/evaluations with a verdict/).first() },
    { path: '/sessions/long-turn', failing: 'payloads', loaded: () => page.getByRole('region', { name: 'Input' }) },
  ])('$path: loaded data stays when it cannot be loaded again', async ({ path, failing, loaded }) => {
    await dashboard.send([
      {
        type: 'trace',
        traceId: 'long-turn',
        sessionId: 'long-turn',
        input: 'long '.repeat(100),
        timestamp: new Date().toISOString(),
      },
    ]);
    await openAs('owner', path);
    if (path.startsWith('/sessions')) await page.getByRole('button', { name: 'Show full turn' }).click();
    const shown = loaded();
    await shown.waitFor();
    await settled(page);
    await page.context().clearCookies();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Outcomes' }).hover();
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.getByLabel('Password').fill(owner.password);
    await page.route(
      ({ pathname }) => pathname.endsWith(`/${failing}`),
      (route) => route.fulfill({ status: 500, json: { error: 'Try later.', code: 'internal' } }),
    );
    const refused = page.waitForResponse((answer) => answer.status() === 500);
    await page.keyboard.press('Enter');
    await ended.waitFor({ state: 'detached' });
    await refused;
    await settled(page);
    expect(await shown.isVisible()).toBe(true);
  });

  test('without a connection, loaded data stays, and a failed page opens after reconnecting', async () => {
    await openAs('owner', '/models', { alone: true });
    await page.clock.install();
    await page.goto(dashboard.address('/models'));
    /** Lets the time until the next attempts pass, until a text is shown. */
    const follows = (text: string | RegExp) =>
      expect
        .poll(async () => {
          await page.clock.fastForward('00:05');
          return page.getByText(text).first().isVisible();
        })
        .toBe(true);
    const models = page.getByRole('table', { name: 'Models' });
    await models.waitFor();
    await settled(page);
    await page.context().setOffline(true);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Datasets' }).click();
    await follows("Can't reach Spanwise");
    await follows('Not connected');
    await page.context().setOffline(false);
    await follows(/^Receiving|^Last span/);
    await page.getByRole('heading', { name: 'Datasets', level: 1 }).waitFor();
    // Data that fails to refresh stays visible.
    await page.goBack();
    await models.waitFor();
    await page.context().setOffline(true);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Explore' }).hover();
    await follows('Not connected');
    expect(await models.isVisible()).toBe(true);
  });
});

/** The viewer works elsewhere for some minutes. */
async function leaveAndReturn(): Promise<void> {
  const signal = (name: 'blur' | 'focus') =>
    page.evaluate((event) => {
      document.hasFocus = () => event === 'focus';
      globalThis.dispatchEvent(new Event(event));
    }, name);
  await signal('blur');
  await page.clock.fastForward('05:00');
  await signal('focus');
}

test('a window that is focused again shows what is new, and so does Refresh', async () => {
  await openAs('owner', '/datasets', { alone: true });
  await page.clock.install();
  await page.goto(dashboard.address('/traces'));
  await settled(page);
  const counted = () => page.waitForResponse(/\/trace-counts/);
  const onReturn = counted();
  await leaveAndReturn();
  await onReturn;
  await settled(page);
  const onRequest = counted();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await onRequest;
});

test('a form reads nothing when the window is focused again', async () => {
  await openAs('owner', '/datasets', { alone: true });
  await page.clock.install();
  await page.goto(dashboard.address('/evaluators/new'));
  await page.getByLabel('Slug').fill('half-a-slug');
  await settled(page);
  const read: string[] = [];
  page.on('request', (request) => read.push(new URL(request.url()).pathname));
  await leaveAndReturn();
  await settled(page);
  expect(read.filter((path) => !/ingest-health|incidents|me\/mentions/.test(path))).toEqual([]);
  expect(await page.getByLabel('Slug').inputValue()).toBe('half-a-slug');
});
