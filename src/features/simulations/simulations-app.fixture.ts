import { startTestApp } from '../../../test/support/app.ts';
import type { TestApp } from '../../../test/support/app.ts';
import { PublicNetwork } from '../../../test/support/public-network.ts';
import { openSimulationTarget } from '../../../test/support/simulation-target.ts';
import type { SimulationTarget } from '../../../test/support/simulation-target.ts';
import type { BatchItem, BatchRun } from '../../contract/simulations.ts';
import { send } from '../../platform/http/http-service.fixture.ts';
import type { Answer } from '../../platform/http/http-service.fixture.ts';

/** Time of the service's clock. */
export const startMs = Date.UTC(2026, 10, 23, 10);

/** The whole service with an application under test at a public address. */
export interface SimulationsApp {
  app: TestApp;
  network: PublicNetwork;
  target: SimulationTarget;
  /** URL of the target. */
  url: string;
  /** A request with the project's key; `path` begins behind `/v1`, or with `/projects/` behind `.../{id}` where it starts with a point. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** A request below `/v1/projects/{id}/simulations`. */
  simulations(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Creates a dataset. @returns its id and those of its items */
  dataset(items: readonly object[]): Promise<{ id: string; itemIds: string[] }>;
  /** Creates a scenario with the target's URL. @returns its id */
  scenario(fields: { datasetId: string } & Record<string, unknown>): Promise<string>;
  /** Creates an evaluator. */
  evaluator(body: object): Promise<void>;
  start(scenarioId: string, body?: object): Promise<BatchRun>;
  run(id: string): Promise<BatchRun>;
  /** Starts a run and executes it. */
  completed(scenarioId: string, body?: object): Promise<BatchRun>;
  items(runId: string, query?: string): Promise<BatchItem[]>;
  /** Executes every queued run. */
  runPending(): Promise<number>;
  close(): Promise<void>;
}

let names = 0;

/** A name that no other object has. */
export function newName(): string {
  names += 1;
  return `name ${names}`;
}

export async function openSimulationsApp(environment: Readonly<Record<string, string>> = {}): Promise<SimulationsApp> {
  const network = new PublicNetwork();
  const target = await openSimulationTarget();
  const url = network.publish(target.port);
  const app = await startTestApp(startMs, environment, { targetNetwork: network });
  const request: SimulationsApp['request'] = (method, path, body, headers = { 'x-api-key': app.apiKey }) =>
    send(`${app.url}/v1${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const created = async (path: string, body: object): Promise<Answer['body']> => {
    const answer = await request('POST', path, body);
    if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const ofProject = `/projects/${app.projectId}/simulations`;
  const { simulations } = app.features;
  const self: SimulationsApp = {
    app,
    network,
    target,
    url,
    request,
    simulations: (method, path, body, headers) => request(method, `${ofProject}${path}`, body, headers),
    dataset: async (items) => {
      const { id } = await created('/datasets', { name: newName() });
      const itemIds: string[] = [];
      for (let at = 0; at < items.length; at += 1000) {
        const added = await created(`/datasets/${id}/items`, { items: items.slice(at, at + 1000) });
        for (const item of added.items) itemIds.push(item.id);
      }
      return { id, itemIds };
    },
    scenario: async ({ target: fields = {}, ...more }) =>
      (
        await created(`${ofProject}/scenarios`, {
          name: newName(),
          target: { type: 'http', url, ...(fields as object) },
          ...more,
        })
      ).id,
    evaluator: async (body) => void (await created(`/projects/${app.projectId}/evaluators`, body)),
    start: async (scenarioId, body = {}) => (await created(`${ofProject}/batch-runs`, { scenarioId, ...body })).batchRun,
    run: async (id) => (await request('GET', `${ofProject}/batch-runs/${id}`)).body.batchRun,
    completed: async (scenarioId, body) => {
      const { id } = await self.start(scenarioId, body);
      await simulations.runPending();
      return self.run(id);
    },
    items: async (runId, query = '') => {
      const items: BatchItem[] = [];
      for (let cursor = ''; ;) {
        const { body } = await request('GET', `${ofProject}/batch-runs/${runId}/items?limit=200${query}${cursor}`);
        items.push(...body.items);
        if (body.nextCursor === null) return items;
        cursor = `&cursor=${body.nextCursor}`;
      }
    },
    runPending: () => simulations.runPending(),
    close: async () => {
      await app.close();
      await target.close();
    },
  };
  return self;
}
