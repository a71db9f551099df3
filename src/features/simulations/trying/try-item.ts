import { ServiceError } from '../../../contract/errors.ts';
import type { ScenarioTarget } from '../../../contract/simulations.ts';
import { tryLimits } from '../../../contract/simulation-try.ts';
import type { Tried, TryBody } from '../../../contract/simulation-try.ts';
import type { Turns } from '../../../platform/budgets/index.ts';
import { nestsDeeper } from '../../../platform/json/index.ts';
import { simulatedItem } from '../../datasets/index.ts';
import { SlotAborted } from '../running/batch-execution.ts';
import type { PendingItem } from '../running/item-feed.ts';
import type { ItemResult } from '../running/item-result.ts';
import { Impossible, prepareTarget } from '../running/prepare-run.ts';
import type { PreparedRun } from '../running/prepare-run.ts';
import { evaluateItem, sendItem } from '../running/run-item.ts';
import { checkTarget } from '../scenarios/check-target.ts';
import { evaluatorIdsNamed, findScenario } from '../scenarios/scenario-record.ts';
import { separateSecrets, storedTarget } from '../scenarios/target-secrets.ts';
import type { SimulationsContext } from '../simulations-context.ts';
import { observed } from './exchange.ts';
import { SecretMask } from './secret-mask.ts';
import { shownExchange, shownText } from './show-exchange.ts';

export interface TryContext extends SimulationsContext {
  /** Shared with batch runs. */
  slots: Turns;
}

/** Levels of an item. */
const maxLevels = 1_000;
/** How long a free slot is awaited, in milliseconds. */
const slotMs = 10_000;

type Outcome = Pick<ItemResult, 'error' | 'errorKind' | 'referenceMatch' | 'scores'> & {
  status: Tried['status'];
  /** JSON text; null without one. */
  output: string | null;
  latencyMs: number | null;
  costUsd: number | null;
};

/**
 * Sends one item to a target that need not be saved, and evaluates the output as a batch run would (docs/semantics.md, "Trying one item"). Stores nothing.
 *
 * @param gone aborts when the client has disconnected
 *
 * Errors: `not_found` for the scenario and the item; `invalid_request` as {@link createScenario}; `unavailable` when no slot is free.
 */
export async function tryItem(context: TryContext, projectId: string, body: TryBody, gone: AbortSignal): Promise<Tried> {
  const { target, secrets } = await separated(context, projectId, body);
  await checkTarget(context, target, secrets);
  const named = await context.db
    .transaction()
    .execute((transaction) => evaluatorIdsNamed(transaction, projectId, body.evaluators));
  const evaluatorIds = body.evaluators.flatMap((slug) => named.get(slug) ?? []);
  const item = await itemOf(context, projectId, body);
  const mask = new SecretMask(Object.values(secrets.headers), Object.values(secrets.named));
  const prepared = await preparedOrError(context, projectId, target);
  if (typeof prepared === 'string') {
    const none = { request: null, response: null, call: null, output: null };
    return { ...failed(prepared), ...none };
  }
  const run: PreparedRun = {
    ...unsavedRun,
    ...prepared,
    projectId,
    target: withinTime(target),
    secrets,
    evaluatorIds,
    referenceMatch: body.referenceMatch?.mode ?? null,
  };
  const { observing, exchange } = observed(context);
  const { output, error, scores, ...rest } = await inSlot(context, projectId, gone, (signal) =>
    outcomeOf(observing, run, item, signal),
  );
  return {
    ...shownExchange(exchange, { target, prompt: prepared.prompt }, mask),
    ...rest,
    output: output === null ? null : shownText(output, mask),
    error: error === null ? null : mask.hide(error),
    scores: scores.map((score) => ({ ...score, comment: score.comment === null ? null : mask.hide(score.comment) })),
  };
}

/** The target without its secrets; `***` stands for those of the stored scenario. */
async function separated({ db, box }: TryContext, projectId: string, { target, scenarioId }: TryBody) {
  if (scenarioId === undefined) {
    const { shown, secrets } = separateSecrets(target, null);
    return { target: shown, secrets };
  }
  const row = await findScenario(db, projectId, scenarioId);
  const { shown, secrets } = separateSecrets(target, storedTarget(box, row));
  return { target: shown, secrets };
}

async function itemOf({ db }: TryContext, projectId: string, { item, datasetItemId }: TryBody): Promise<PendingItem> {
  const place = { place: 0, repetition: 1, answer: null };
  if (datasetItemId !== undefined) {
    const stored = await simulatedItem(db, projectId, datasetItemId);
    if (!stored)
      throw new ServiceError('not_found', 'There is no such dataset item in this project; list the items of the dataset.');
    const { id, ...contents } = stored;
    return { ...place, ...contents, datasetItemId: id };
  }
  if (nestsDeeper(item, maxLevels))
    throw new ServiceError('invalid_request', `Correct the item: it must nest at most ${maxLevels} levels deep.`, {
      details: [{ path: '/item', message: `must nest at most ${maxLevels} levels deep` }],
    });
  return {
    ...place,
    datasetItemId: '',
    input: JSON.stringify(item?.input ?? null),
    expectedOutput: item?.expectedOutput === undefined ? null : JSON.stringify(item.expectedOutput),
    metadata: JSON.stringify(item?.metadata ?? {}),
  };
}

/** What the target needs, or the sentence of a run that cannot be done. */
async function preparedOrError(context: TryContext, projectId: string, target: ScenarioTarget) {
  try {
    return await prepareTarget(context, projectId, target, null);
  } catch (error) {
    if (error instanceof Impossible) return error.message;
    throw error;
  }
}

/** Of a run that is not stored. */
const unsavedRun = {
  id: '00000000-0000-0000-0000-000000000000',
  organizationId: '',
  scenarioId: '',
  scenarioName: '',
  label: null,
  datasetId: '',
  datasetRunId: '',
  concurrency: 1,
  asksModels: false,
};

function withinTime(target: ScenarioTarget): ScenarioTarget {
  return target.type === 'http' ? { ...target, timeoutMs: Math.min(target.timeoutMs, tryLimits.targetMs) } : target;
}

async function inSlot<T>(
  { slots, running }: TryContext,
  projectId: string,
  gone: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = AbortSignal.any([gone, running.stopping]);
  const busy = () =>
    new ServiceError(
      'unavailable',
      'Items of batch runs take all of the places of this project; try again when they have ended.',
      {
        retryAfterSeconds: slotMs / 1_000,
      },
    );
  try {
    return await slots.run(
      projectId,
      async () => {
        const result = await work(AbortSignal.any([ended, AbortSignal.timeout(tryLimits.totalMs)]));
        if (!running.stopping.aborted) return result;
        throw new ServiceError('unavailable', 'The service is shutting down; try again.', { retryAfterSeconds: 5 });
      },
      AbortSignal.any([ended, AbortSignal.timeout(slotMs)]),
    );
  } catch (error) {
    throw error instanceof SlotAborted ? busy() : error;
  }
}

async function outcomeOf(
  context: SimulationsContext,
  run: PreparedRun,
  item: PendingItem,
  signal: AbortSignal,
): Promise<Outcome> {
  const sent = await sendItem(context, run, item, signal);
  if (sent === null) return { ...failed(tooLong), output: null };
  const { output, latencyMs, costUsd } = sent.answer ?? { output: null, latencyMs: null, costUsd: null };
  if (sent.error !== null || output === null) return { ...failed(sent.error ?? tooLong), output, latencyMs, costUsd };
  const evaluated = await evaluateItem(context, run, item, { output, latencyMs, costUsd }, signal);
  const interrupted = signal.aborted && evaluated.errorKind !== null;
  return {
    ...evaluated,
    status: evaluated.status === 'pending' ? 'error' : evaluated.status,
    error: interrupted ? tooLong : evaluated.error,
    output,
    latencyMs,
    costUsd,
  };
}

const tooLong = `The item did not end within ${tryLimits.totalMs / 1_000} seconds; a batch run waits longer.`;

function failed(error: string) {
  return {
    status: 'error' as const,
    error,
    errorKind: 'target' as const,
    referenceMatch: null,
    scores: [],
    latencyMs: null,
    costUsd: null,
  };
}
