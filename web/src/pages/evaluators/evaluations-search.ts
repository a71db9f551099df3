import type { EvaluationsQuery, EvaluationStatus, EvaluationTargetType } from '../../api/wire.ts';

export const statusNames: readonly EvaluationStatus[] = ['queued', 'running', 'completed', 'failed', 'skipped'];
export const targetTypeNames: readonly EvaluationTargetType[] = ['span', 'trace', 'session', 'run_item'];
export const targetTypeWords: Readonly<Record<EvaluationTargetType, string>> = {
  span: 'Span',
  trace: 'Trace',
  session: 'Session',
  run_item: 'Run item',
};

/** What stands in the URL of the list of evaluations. */
export interface EvaluationsSearch {
  /** Id or slug. */
  evaluator?: string | undefined;
  status?: EvaluationStatus | undefined;
  target?: EvaluationTargetType | undefined;
  /** The one that is open. */
  open?: string | undefined;
}

/** Reads the search of a URL; what cannot be used is left out. */
export function readEvaluationsSearch(search: Record<string, unknown>): EvaluationsSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const evaluator = text('evaluator');
  const status = statusNames.find((one) => one === search['status']);
  const target = targetTypeNames.find((one) => one === search['target']);
  const open = text('open');
  return {
    ...(evaluator === undefined ? {} : { evaluator }),
    ...(status === undefined ? {} : { status }),
    ...(target === undefined ? {} : { target }),
    ...(open === undefined ? {} : { open }),
  };
}

/** What is asked of the service. */
export function evaluationsRequest({ evaluator, status, target }: EvaluationsSearch): EvaluationsQuery {
  return {
    ...(evaluator === undefined ? {} : { evaluator }),
    ...(status === undefined ? {} : { status }),
    ...(target === undefined ? {} : { targetType: target }),
  };
}
