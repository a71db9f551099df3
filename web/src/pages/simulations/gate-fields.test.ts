import { expect, test } from 'vitest';
import { gateBody } from '../../../../src/contract/simulation-gate.ts';
import { emptyGate, gateBodyOf, gateCommandLine, gateCurl } from './gate-fields.ts';

const form = {
  ...emptyGate,
  baseline: 'b1',
  maxPassRateDrop: '2',
  minPassRate: '57',
  maxP95LatencyIncrease: '20',
  confidence: '',
};

test('typed percentages become fractions, and empty limits are left out', () => {
  const body = gateBodyOf(form);
  expect(body).toEqual({
    baselineBatchRunId: 'b1',
    thresholds: { maxPassRateDrop: 0.02, minPassRate: 0.57, maxP95LatencyIncrease: 0.2 },
    onInconclusive: 'point',
  });
  expect(gateBody.safeParse(body).success).toBe(true);
});

test('the lines to paste ask the same', () => {
  expect(gateCommandLine('c1', form)).toBe(
    'spanwise gate c1 --baseline b1 --max-pass-rate-drop 0.02 --min-pass-rate 0.57 --max-p95-latency-increase 0.2 --point --on-inconclusive point',
  );
  expect(gateCurl('https://host/gate', form)).toContain(`-d '${JSON.stringify(gateBodyOf(form))}'`);
});
