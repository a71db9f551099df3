import type { EvaluationStatus, EvaluationTargetType, EvaluationsQuery } from '../../api/parts.ts';
import { evaluationStatuses, evaluationTargetTypes } from '../../../../src/contract/kinds.ts';

export const targetTypeLabels: Readonly<Record<EvaluationTargetType, string>> = {
  span: 'Span',
  trace: 'Trace',
  session: 'Session',
  run_item: 'Run item',
};

/** The search parameters of the list of evaluations. */
export interface EvaluationsSearch {
  /** ID or slug. */
  evaluator?: string | undefined;
  status?: EvaluationStatus | undefined;
  target?: EvaluationTargetType | undefined;
  /** ID of the selected evaluation. */
  open?: string | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readEvaluationsSearch(search: Record<string, unknown>): EvaluationsSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const evaluator = text('evaluator');
  const status = evaluationStatuses.find((one) => one === search['status']);
  const target = evaluationTargetTypes.find((one) => one === search['target']);
  const open = text('open');
  return {
    ...(evaluator === undefined ? {} : { evaluator }),
    ...(status === undefined ? {} : { status }),
    ...(target === undefined ? {} : { target }),
    ...(open === undefined ? {} : { open }),
  };
}

/** The request for the list. */
export function evaluationsRequest({ evaluator, status, target }: EvaluationsSearch): EvaluationsQuery {
  return {
    ...(evaluator === undefined ? {} : { evaluator }),
    ...(status === undefined ? {} : { status }),
    ...(target === undefined ? {} : { targetType: target }),
  };
}
