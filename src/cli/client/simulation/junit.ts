import { decisionOf } from './gate-lines.ts';
import type { GateReport } from './gate-report.ts';

/** The checks and the regressed items as JUnit XML: a suite of checks, and one of items. */
export function junitOf(report: GateReport): string {
  const { candidate, result, regressions } = report;
  const checks = result.checks.map(({ name, passed, verdict, delta, limit }) =>
    testCase('gate', name, passed ? null : `${verdict}: ${String(delta)} against a limit of ${String(limit)}`, null),
  );
  const items = regressions.map(({ datasetItemId, baseline, candidate: now, url }) =>
    testCase(
      'items',
      datasetItemId,
      `passed before, ${now.status} now`,
      `baseline: ${JSON.stringify(baseline.output)}\ncandidate: ${JSON.stringify(now.output)}${url === null ? '' : `\n${url}`}`,
    ),
  );
  const failedChecks = result.checks.filter(({ passed }) => !passed).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xml(`${candidate.scenarioName}: ${decisionOf(report)}`)}" tests="${checks.length + items.length}" failures="${failedChecks + items.length}">`,
    ...suite('checks', checks, failedChecks),
    ...suite('regressions', items, items.length),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(name: string, cases: readonly string[], failures: number): string[] {
  return [`  <testsuite name="${name}" tests="${cases.length}" failures="${failures}">`, ...cases, '  </testsuite>'];
}

function testCase(classname: string, name: string, failure: string | null, text: string | null): string {
  const opening = `    <testcase classname="${classname}" name="${xml(name)}"`;
  if (failure === null) return `${opening}/>`;
  return `${opening}>\n      <failure message="${xml(failure)}">${xml(text ?? '')}</failure>\n    </testcase>`;
}

/** A text in XML. Characters that XML 1.0 does not have are replaced. */
function xml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, (character) => (/[\t\n\r]/.test(character) ? character : '\ufffd'))
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
