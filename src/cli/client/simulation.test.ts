import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { answersJson, echoes } from '../../../test/support/simulation-target.ts';
import type { Received } from '../../../test/support/simulation-target.ts';
import { openSimulationsApp } from '../../features/simulations/simulations-app.fixture.ts';
import type { SimulationsApp } from '../../features/simulations/simulations-app.fixture.ts';
import type { ClientConfig } from '../../client-config.ts';
import { runClient } from './command-io.fixture.ts';
import type { RecordedTerminal } from './terminal/recorded-terminal.fixture.ts';

const runProgram = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const scenarioName = 'Support questions';

let own: SimulationsApp;
let scenarioId: string;
let folder: string;
beforeAll(async () => {
  own = await openSimulationsApp();
  const { id: datasetId } = await own.dataset(Array.from({ length: 20 }, (_, input) => ({ input, expectedOutput: input })));
  scenarioId = await own.scenario({ name: scenarioName, datasetId, referenceMatch: { mode: 'exact' } });
  own.app.features.simulations.startWorkers?.();
});
afterAll(() => own.close());
beforeEach(async () => {
  own.target.answers(echoes);
  folder = await mkdtemp(join(tmpdir(), 'spanwise-gate-command-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const wrongAt = (...inputs: number[]) =>
  own.target.answers(
    answersJson(({ body }: Received) => ({ output: inputs.includes(body.input) ? '<wrong> & "more"' : body.input })),
  );

interface Ran {
  terminal: RecordedTerminal;
  /** Status and pending items of the runs that the progress bar showed. */
  shown: Array<[string, number]>;
}

async function run(parameters: string[], environment: Partial<ClientConfig> = {}): Promise<Ran> {
  const shown: Ran['shown'] = [];
  const terminal = await runClient(parameters, {
    environment: { url: own.app.url, apiKey: own.app.apiKey, ...environment },
    progress: { show: ({ status, counts }) => void shown.push([status, counts.pending]), end: () => undefined },
  });
  return { terminal, shown };
}

/** Starts a run, waits for its end, and returns its id. */
async function simulated(...parameters: string[]): Promise<string> {
  const { terminal } = await run(['simulate', scenarioName, '--wait', ...parameters]);
  expect(terminal.code, terminal.errors).toBe(0);
  return terminal.output;
}

describe('simulate', () => {
  test('starts a run by name or id, and waits for its end', async () => {
    const { terminal, shown } = await run([
      'simulate',
      scenarioName,
      '--label',
      'main',
      '--concurrency',
      '2',
      '--repetitions',
      '2',
      '--wait',
    ]);
    expect(terminal).toMatchObject({ code: 0, errors: expect.stringContaining('40 of 40 items passed') });
    expect(await own.run(terminal.output)).toMatchObject({
      status: 'completed',
      label: 'main',
      concurrency: 2,
      counts: { total: 40 },
    });
    expect(shown.length).toBeGreaterThan(0);
    const started = await run(['simulate', scenarioId, '--json']);
    const record = JSON.parse(started.terminal.output);
    expect([started.terminal.code, record.scenarioId]).toEqual([0, scenarioId]);
    await run(['gate', record.id, '--baseline', terminal.output]);
  });

  test('takes a personal access token with a project', async () => {
    const { body } = await own.request('POST', '/me/tokens', { name: 'ci' }, { cookie: own.app.cookie });
    const environment = { apiKey: null, token: body.token, project: own.app.projectId };
    expect((await run(['simulate', scenarioName], environment)).terminal.code).toBe(0);
    const without = await run(['simulate', scenarioName], { ...environment, project: null });
    expect(without.terminal).toMatchObject({ code: 2, errors: expect.stringContaining('--project') });
  });

  test('exits with 2 for what cannot be started', async () => {
    for (const [parameters, environment, text] of [
      [['no such scenario'], {}, 'no scenario no such scenario'],
      [[scenarioName], { apiKey: null }, 'SPANWISE_API_KEY'],
      [[scenarioName], { apiKey: 'spw_wrong' }, '401'],
      [[scenarioName], { url: 'nonsense' }, 'SPANWISE_URL'],
      [[scenarioName], { url: 'http://127.0.0.1:1' }, 'cannot be reached'],
    ] as const) {
      const { terminal } = await run(['simulate', ...parameters], environment);
      expect([terminal.code, terminal.errors]).toEqual([2, expect.stringContaining(text)]);
    }
  });
});

test('simulate --wait exits with 1 where every item is an error', async () => {
  own.target.answers(answersJson(() => ({ none: 1 })));
  const { terminal } = await run(['simulate', scenarioName, '--wait']);
  expect([terminal.code, terminal.errors]).toEqual([1, expect.stringContaining('20 errors')]);
});

describe('gate', () => {
  test('passes an unchanged candidate that it waits for, against the newest run with a label', async () => {
    await simulated('--label', 'main');
    const candidate = await own.start(scenarioId);
    const { terminal } = await run(['gate', candidate.id, '--baseline-label', 'main']);
    expect(terminal).toMatchObject({ code: 0, errors: '' });
    expect(terminal.output).toMatch(/^check +baseline +candidate/);
    expect(terminal.output).toMatch(/pass_rate_drop +100 % +100 % +0 % +0 % +0 % \.\. 0 % +pass/);
    expect(terminal.output).toContain('passed (20 items compared)');
  });

  test('refuses a worse one, and shows what regressed with links', async () => {
    const baseline = await simulated();
    wrongAt(...Array.from({ length: 15 }, (_, input) => input));
    const candidate = await simulated();
    const [junit, stepSummary] = [join(folder, 'gate.xml'), join(folder, 'summary.md')];
    await writeFile(stepSummary, '# Before\n');
    const { terminal } = await run(['gate', candidate, '--baseline', baseline, '--junit', junit], { stepSummary });
    expect(terminal.code).toBe(1);
    expect(terminal.output).toContain('15 items passed before and do not now:');
    const [item] = await own.items(candidate);
    expect(terminal.output).toMatch(new RegExp(`  0 +failed +${own.app.url}/o/[^ ]+/traces/${item?.traceId}`));
    expect(terminal.output).toContain('refused (20 items compared)');
    const xml = await readFile(junit, 'utf8');
    expect(xml).toContain('tests="16" failures="16"');
    expect(xml).toContain('candidate: &#34;&#60;wrong&#62; &#38; \\&#34;more\\&#34;&#34;');
    const summary = await readFile(stepSummary, 'utf8');
    expect(summary).toMatch(/^# Before\n### Support questions: refused/);
    expect(summary).toContain('| pass_rate_drop | 100 % | 25 % | 75 % | 0 % |');
    expect(summary).toContain(`[0](${own.app.url}/o/`);
    expect(xml).toContain('<testcase classname="items" name="0">');
  });

  test('lists what regressed as skipped tests where the candidate passes', async () => {
    const baseline = await simulated();
    wrongAt(0, 1);
    const candidate = await simulated();
    const junit = join(folder, 'passed.xml');
    const allowed = ['--max-pass-rate-drop', '1', '--junit', junit];
    const { terminal } = await run(['gate', candidate, '--baseline', baseline, ...allowed], {});
    expect(terminal.code).toBe(0);
    const xml = await readFile(junit, 'utf8');
    expect(xml).toContain('tests="3" failures="0">');
    expect(xml).toContain('<testsuite name="regressions" tests="2" failures="0" skipped="2">');
    expect(xml.match(/<skipped message="passed before, failed now">/g)).toHaveLength(2);
    expect(xml).not.toContain('<failure');
  });

  test('exits with 3 where an inconclusive check counts as failed', async () => {
    const baseline = await simulated();
    wrongAt(3);
    const candidate = await simulated();
    const thresholds = [
      '--max-pass-rate-drop',
      '0.02',
      '--min-pass-rate',
      '0',
      '--max-error-rate',
      '1',
      '--max-cost-increase',
      '0',
      '--max-p95-latency-increase',
      '1000000',
    ];
    const parameters = ['gate', candidate, '--baseline', baseline, ...thresholds];
    const junit = join(folder, 'inconclusive.xml');
    const lenient = await run([...parameters, '--on-inconclusive', 'pass', '--junit', junit]);
    expect(lenient.terminal.code).toBe(0);
    expect(await readFile(junit, 'utf8')).toMatch(/<skipped message="inconclusive: about \d+ items would decide">/);
    // By default as the figure is, which is beyond the limit.
    expect((await run(parameters)).terminal.code).toBe(3);
    expect(lenient.terminal.output).toContain('inconclusive, which counts as passed');
    expect(lenient.terminal.output).toMatch(/inconclusive \(about \d+ items would decide\)/);
    expect((await run([...parameters, '--on-inconclusive', 'fail'])).terminal.code).toBe(3);
    expect((await run([...parameters, '--point'])).terminal.code).toBe(1);
    const json = await run([...parameters, '--json', '--confidence', '0.9']);
    const { body } = await own.simulations('POST', `/batch-runs/${candidate}/gate`, {
      baselineBatchRunId: baseline,
      onInconclusive: 'point',
      confidence: 0.9,
      thresholds: {
        maxPassRateDrop: 0.02,
        minPassRate: 0,
        maxErrorRate: 1,
        maxCostIncrease: 0,
        maxP95LatencyIncrease: 1_000_000,
      },
    });
    expect(JSON.parse(json.terminal.output)).toEqual(body);
  });

  test('exits with 2 for what cannot be compared', async () => {
    const candidate = await simulated();
    for (const [parameters, text] of [
      [[candidate], '--baseline'],
      [['none', '--baseline', candidate], '404'],
      [[candidate, '--baseline', 'none'], '404'],
      [[candidate, '--baseline', candidate], '409'],
      [[candidate, '--baseline-label', 'no such label'], 'no completed run with the label no such label'],
    ] as const) {
      const { terminal } = await run(['gate', ...parameters]);
      expect([terminal.code, terminal.errors]).toEqual([2, expect.stringContaining(text)]);
    }
    const { terminal } = await run(['gate', candidate, '--baseline', candidate, '--json']);
    expect(JSON.parse(terminal.output)).toMatchObject({ status: 409, code: 'conflict' });
    expect((await run(['gate', candidate, '--min-pass-rate', '2'])).terminal.code).toBe(2);
    expect((await run(['simulate', 'x', '--concurrency', '1.5'])).terminal.code).toBe(2);
    const both = await run(['gate', candidate, '--baseline', candidate, '--point', '--confidence', '0.9']);
    expect(both.terminal.code).toBe(2);
  });

  test('refuses a worse run and writes its files when nobody reads the output, as a process', async () => {
    const baseline = await simulated();
    wrongAt(...Array.from({ length: 20 }, (_, input) => input));
    const candidate = await simulated();
    const junit = join(folder, 'junit.xml');
    const parameters = ['gate', candidate, '--baseline', baseline, '--point', '--junit', junit];
    const child = spawn(process.execPath, [join(root, 'src/cli/main.ts'), ...parameters], {
      env: { ...process.env, SPANWISE_URL: own.app.url, SPANWISE_API_KEY: own.app.apiKey },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(await readFile(junit, 'utf8')).toContain('<testsuite');
  }, 30_000);

  test('exits with 2 for wrong usage and with 0 for help, as a process', async () => {
    const spanwise = (...parameters: string[]) =>
      runProgram(process.execPath, [join(root, 'src/cli/main.ts'), ...parameters]).then(
        () => 0,
        (error: { code?: number }) => error.code,
      );
    expect(await spanwise('gate', '--no-such-option')).toBe(2);
    expect(await spanwise('simulate')).toBe(2);
    expect(await spanwise('gate', '--help')).toBe(0);
  }, 30_000);
});

/** The commands of the examples in docs/ci.md, in their order, with the variables that their steps set. */
async function commandsOf(file: string): Promise<Array<{ script: string; env: Record<string, string> }>> {
  const content: unknown = parse(await readFile(join(root, 'docs/examples/ci', file), 'utf8'));
  if (file === 'github.yml') {
    const { jobs } = content as { jobs: { simulate: { steps: Array<{ run?: string; env?: Record<string, string> }> } } };
    return jobs.simulate.steps.flatMap(({ run: script, env = {} }) => (script === undefined ? [] : [{ script, env }]));
  }
  const { simulate } = content as { simulate: { script: string[]; variables: Record<string, string> } };
  return simulate.script.map((script) => ({ script, env: simulate.variables }));
}

describe.each(['github.yml', 'gitlab.yml'])('the example %s', (file) => {
  test('is the one in the document', async () => {
    const document = await readFile(join(root, 'docs/ci.md'), 'utf8');
    expect(document).toContain((await readFile(join(root, 'docs/examples/ci', file), 'utf8')).trim());
  });

  test('simulates and gates', async () => {
    await simulated('--label', 'main');
    await writeFile(join(folder, 'spanwise'), `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'src/cli/main.ts')}" "$@"\n`, {
      mode: 0o755,
    });
    const ran = async () => {
      for (const { script, env } of await commandsOf(file)) {
        const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
        const variables = { ...env, LABEL: 'branch', SPANWISE_URL: own.app.url, SPANWISE_API_KEY: own.app.apiKey };
        await runProgram('sh', ['-e', '-c', script], {
          cwd: folder,
          env: { ...variables, PATH: `${folder}:${PATH}`, NODE_COMPILE_CACHE },
        });
      }
    };
    await ran();
    expect(await readFile(join(folder, 'gate.xml'), 'utf8')).toContain('failures="0"');
    wrongAt(...Array.from({ length: 15 }, (_, input) => input));
    await expect(ran()).rejects.toMatchObject({ code: 1 });
  }, 60_000);
});

test('the example github.yml runs as root: the user of the image can write neither the workspace nor the summary of the job', async () => {
  const { jobs } = parse(await readFile(join(root, 'docs/examples/ci/github.yml'), 'utf8')) as {
    jobs: { simulate: { container: unknown } };
  };
  expect(await readFile(join(root, 'Dockerfile'), 'utf8')).toContain('\nUSER node\n');
  expect(jobs.simulate.container).toMatchObject({ options: '--user root' });
});
