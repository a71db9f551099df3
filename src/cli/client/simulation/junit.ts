import { decisionOf } from './gate-lines.ts';
import type { GateReport } from './gate-report.ts';

/**
 * The checks and the regressed items as JUnit XML: a suite of checks, and one of items. The items are failures where the gate refuses the candidate, else
 * they are skipped tests: readers of such files take any failure for a failed job.
 */
export function junitOf(report: GateReport): string {
  const { candidate, result, regressions } = report;
  const outcome = result.passed ? 'skipped' : 'failure';
  const checks = result.checks.map((check) => testCase('gate', check.name, noticeOf(check)));
  const items = regressions.map(({ datasetItemId, input, baseline, candidate: now, url }) =>
    testCase('items', input ?? datasetItemId, {
      outcome,
      message: `passed before, ${now.status} now`,
      text: `baseline: ${JSON.stringify(baseline.output)}\ncandidate: ${JSON.stringify(now.output)}${url === null ? '' : `\n${url}`}`,
    }),
  );
  const failedChecks = result.checks.filter(({ passed }) => !passed).length;
  const skippedChecks = result.checks.filter(({ passed, verdict }) => passed && verdict === 'inconclusive').length;
  const failedItems = result.passed ? 0 : items.length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(`${candidate.scenarioName}: ${decisionOf(report)}`)}" tests="${checks.length + items.length}" failures="${failedChecks + failedItems}">`,
    ...suite('checks', checks, failedChecks, skippedChecks),
    ...suite('regressions', items, failedItems, items.length - failedItems),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(name: string, cases: readonly string[], failures: number, skipped = 0): string[] {
  const counts = `tests="${cases.length}" failures="${failures}" skipped="${skipped}"`;
  return [`  <testsuite name="${name}" ${counts}>`, ...cases, '  </testsuite>'];
}

/** What a test case says that did not pass. */
interface Notice {
  outcome: 'failure' | 'skipped';
  message: string;
  text?: string;
}

/** A check that passed although its interval has the limit in it is a skipped test, which says how many items would decide it. */
function noticeOf({ passed, verdict, delta, limit, itemsNeeded }: GateReport['result']['checks'][number]): Notice | null {
  const needed = typeof itemsNeeded === 'number' ? `about ${itemsNeeded} items would decide` : 'no number of items would decide';
  if (!passed) {
    const why = verdict === 'inconclusive' ? `, ${needed}` : '';
    return { outcome: 'failure', message: `${verdict}: ${String(delta)} against a limit of ${String(limit)}${why}` };
  }
  return verdict === 'inconclusive' ? { outcome: 'skipped', message: `inconclusive: ${needed}` } : null;
}

function testCase(classname: string, name: string, notice: Notice | null): string {
  const opening = `    <testcase classname="${classname}" name="${xml(name)}"`;
  if (notice === null) return `${opening}/>`;
  const { outcome, message, text = '' } = notice;
  return `${opening}>\n      <${outcome} message="${xml(message)}">${xml(text)}</${outcome}>\n    </testcase>`;
}

/** A text in XML. Characters that XML 1.0 does not have are replaced. */
function xml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, (character) => (/[\t\n\r]/.test(character) ? character : '\ufffd'))
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
