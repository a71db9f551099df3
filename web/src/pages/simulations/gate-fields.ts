import type { GateBody } from '../../api/service.ts';

/** The values of the gate form, as typed; limits in per cent. */
export interface GateForm {
  baseline: string;
  maxPassRateDrop: string;
  minPassRate: string;
  maxErrorRate: string;
  maxP95LatencyIncrease: string;
  maxCostIncrease: string;
  /** Empty: the figures themselves are compared. */
  confidence: string;
  onInconclusive: 'pass' | 'fail' | 'point';
}

/** The limits with their labels, in the order of the checks. */
export const limits = [
  ['maxPassRateDrop', 'Pass rate drop, at most'],
  ['minPassRate', 'Pass rate, at least'],
  ['maxErrorRate', 'Error rate, at most'],
  ['maxP95LatencyIncrease', 'p95 latency increase, at most'],
  ['maxCostIncrease', 'Cost increase, at most'],
] as const;

/** The values before the reader changes them; those of `spanwise gate`. */
export const emptyGate: GateForm = {
  baseline: '',
  maxPassRateDrop: '0',
  minPassRate: '',
  maxErrorRate: '',
  maxP95LatencyIncrease: '',
  maxCostIncrease: '',
  confidence: '0.95',
  onInconclusive: 'point',
};

/** A typed percentage as a fraction; null without one. 12 digits survive the division. */
function fraction(text: string): number | null {
  return text.trim() === '' || !Number.isFinite(Number(text)) ? null : Number((Number(text) / 100).toPrecision(12));
}

/** The request body of a gate. */
export function gateBodyOf(form: GateForm): GateBody {
  const given = limits.flatMap(([name]) => {
    const value = fraction(form[name]);
    return value === null ? [] : [[name, value] as const];
  });
  return {
    baselineBatchRunId: form.baseline,
    thresholds: Object.fromEntries(given),
    ...(form.confidence === '' ? {} : { confidence: Number(form.confidence) }),
    onInconclusive: form.onInconclusive,
  };
}

/** The line of `spanwise gate` that asks the same. */
export function gateCommandLine(candidate: string, form: GateForm): string {
  const flags = limits.flatMap(([name]) => {
    const value = fraction(form[name]);
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return value === null ? [] : [`--${flag} ${value}`];
  });
  return [
    `spanwise gate ${candidate} --baseline ${form.baseline}`,
    ...flags,
    form.confidence === '' ? '--point' : `--confidence ${form.confidence}`,
    `--on-inconclusive ${form.onInconclusive}`,
  ].join(' ');
}

/** The `curl` command that asks the same. @param url of the gate */
export function gateCurl(url: string, form: GateForm): string {
  return [
    `curl -X POST ${url} \\`,
    "  -H 'x-api-key: <your key>' -H 'content-type: application/json' \\",
    `  -d '${JSON.stringify(gateBodyOf(form))}'`,
  ].join('\n');
}
