import { checkText, compileBundle } from '../../../../packages/guardrails/src/index.ts';
import type { Bundle, CheckOutcome } from '../../../../packages/guardrails/src/index.ts';
import type { PolicyFault } from '../../../contract/policies.ts';
import { readFilesHere } from '../../../features/policies/offline.ts';
import type { FilePolicy } from '../../../features/policies/offline.ts';
import { Refusal } from '../service/refusal.ts';
import { readPolicyFolder } from './policy-folder.ts';
import type { PolicyFolder } from './policy-folder.ts';
import { painter, visible } from '../terminal/terminal.ts';
import type { Paint, Terminal } from '../terminal/terminal.ts';
import { readTestCases } from './test-cases.ts';
import type { TestCase } from './test-cases.ts';
import { faultLines } from './validate.ts';

interface Difference {
  field: 'action' | 'text' | 'triggered';
  expected: unknown;
  actual: unknown;
}

interface Result {
  path: string;
  line: number;
  name: string;
  passed: boolean;
  differences: Difference[];
}

/**
 * `spanwise policy test`: checks the texts of `tests/` against the guardrails of the files, in this process. Judges are left out: they ask a model.
 *
 * @returns the exit code: 0 all passed, 1 not
 */
export async function testPolicies(terminal: Terminal, { folder, json }: { folder: string; json: boolean }): Promise<number> {
  const files = await readPolicyFolder(folder);
  const { policies, cases } = await read(files);
  if (cases.length === 0) {
    throw new Refusal(`${folder} has no tests; write cases into tests/*.yaml (spanwise policy init makes an example)`);
  }
  const { bundle, judges } = bundleOf(policies);
  const results = cases.map((one) => resultOf(bundle, one));
  const failed = results.filter(({ passed }) => !passed);
  if (json) {
    const counts = { passed: results.length - failed.length, failed: failed.length };
    terminal.print(JSON.stringify({ ...counts, skippedJudges: judges, cases: results }));
    return failed.length > 0 ? 1 : 0;
  }
  const paint = painter(terminal.hasColors);
  for (const result of failed) for (const line of failureLines(result, paint)) terminal.print(line);
  if (judges.length > 0) terminal.print(`Judges are not asked: ${judges.join(', ')}.`);
  const sum = `${results.length - failed.length} passed, ${failed.length} failed`;
  terminal.print(paint(failed.length > 0 ? 'red' : 'green', sum));
  return failed.length > 0 ? 1 : 0;
}

async function read({ policies: policyFiles, tests }: PolicyFolder): Promise<{ policies: FilePolicy[]; cases: TestCase[] }> {
  const { policies, faults } = await readFilesHere(policyFiles);
  const { cases, faults: testFaults } = readTestCases(tests);
  const errors: PolicyFault[] = [...faults, ...testFaults];
  if (errors.length > 0) throw new Refusal(`correct the files:\n${faultLines(errors).join('\n')}`, { errors });
  return { policies, cases };
}

function bundleOf(policies: readonly FilePolicy[]): { bundle: Bundle; judges: string[] } {
  const guardrails = policies.flatMap((policy) => (policy.kind === 'Guardrail' ? [{ slug: policy.name, ...policy.spec }] : []));
  return {
    bundle: compileBundle(guardrails.filter(({ type }) => type !== 'llm_judge')),
    judges: guardrails.filter(({ type }) => type === 'llm_judge').map(({ slug }) => slug),
  };
}

function resultOf(bundle: Bundle, { path, line, name, text, stage, environment, expect }: TestCase): Result {
  const outcome = checkText(bundle, { text, stage, environment });
  const differences = differencesOf(outcome, expect);
  return { path, line, name, passed: differences.length === 0, differences };
}

function differencesOf({ action, text, results }: CheckOutcome, expect: TestCase['expect']): Difference[] {
  const triggered = results.flatMap((result) => (result.triggered ? [result.guardrail] : [])).toSorted();
  const wanted = expect.triggered && [...new Set(expect.triggered)].toSorted();
  return [
    ...(action === expect.action ? [] : [{ field: 'action' as const, expected: expect.action, actual: action }]),
    ...(expect.text === undefined || text === expect.text
      ? []
      : [{ field: 'text' as const, expected: expect.text, actual: text }]),
    ...(!wanted || wanted.join() === triggered.join()
      ? []
      : [{ field: 'triggered' as const, expected: wanted, actual: triggered }]),
  ];
}

function failureLines({ path, line, name, differences }: Result, paint: Paint): string[] {
  return [
    `${paint('red', 'FAIL')} ${visible(path)}:${line}: ${visible(name)}`,
    ...differences.flatMap(({ field, expected, actual }) => [
      `    ${field}`,
      `        ${paint('green', `expected ${visible(JSON.stringify(expected))}`)}`,
      `        ${paint('red', `actual   ${visible(JSON.stringify(actual))}`)}`,
    ]),
    '',
  ];
}
