import { setTimeout as delay } from 'node:timers/promises';
import { read, sendJson } from './api.ts';
import type { Answer, Caller } from './api.ts';
import type { Ledger, SentChange } from './ledger.ts';
import type { Random } from './random.ts';

export interface ChangerOptions {
  /** The caller at the time of reading: the service may have been restarted. */
  reader(): Caller;
  caller: Caller;
  ledger: Ledger;
  random: Random;
  persistent: boolean;
  stopping(): boolean;
}

interface Dataset {
  id: string;
  itemIds: string[];
  runId: string | null;
}

/** Changes prompts, datasets, runs, keys and evaluators in sequence until it is stopped or a connection breaks. */
export async function makeChanges(options: ChangerOptions): Promise<void> {
  const { random, stopping } = options;
  const changer = new Changer(options);
  const prompt = `prompt-${random.hex(6)}`;
  const datasets: Dataset[] = [];
  while (!stopping()) {
    const kind = random.whole(0, 6);
    const dataset = datasets.length > 0 ? random.pick(datasets) : null;
    let answer: Answer | null;
    if (kind <= 1) answer = await changer.addVersion(prompt);
    else if (kind === 2) answer = await changer.moveLabel(prompt);
    else if (kind === 3) answer = await changer.addKey();
    else if (kind === 4) answer = await changer.addEvaluator();
    else if (!dataset || random.chance(0.2)) answer = await changer.addDataset(datasets);
    else answer = await (random.chance(0.5) ? changer.addItems(dataset) : changer.addRunItems(dataset));
    if (answer === null && !options.persistent) return;
    await delay(answer === null || answer.status >= 429 ? 100 : random.whole(2, 40));
  }
}

class Changer {
  readonly #options: ChangerOptions;
  readonly #versions = new Map<string, number[]>();

  constructor(options: ChangerOptions) {
    this.#options = options;
  }

  async addVersion(name: string): Promise<Answer | null> {
    const text = `text ${this.#options.random.hex(8)}`;
    const answer = await this.#change(`a version of ${name}`, 1, 'POST', '/v1/prompts', { name, prompt: text }, async () => {
      const { versions } = await this.#read(`/v1/prompts/${name}/versions?limit=200`, { versions: [] });
      const numbers = (versions as Array<{ version: number }>).map(({ version }) => version);
      if (numbers.some((version, index) => version !== numbers.length - index))
        throw new Error(`versions ${numbers.join()} of ${name}`);
      return (versions as Array<{ prompt: string }>).filter((version) => version.prompt === text).length;
    });
    if (answer?.status === 201) this.#versions.set(name, [...(this.#versions.get(name) ?? []), answer.body.version]);
    return answer;
  }

  async moveLabel(name: string): Promise<Answer | null> {
    const { ledger, random } = this.#options;
    const known = this.#versions.get(name);
    if (!known) return this.addVersion(name);
    const version = random.pick(known);
    const allowed = ledger.labels.get(name) ?? [0];
    // The outcome is unknown until the answer arrives.
    ledger.labels.set(name, [...allowed, version]);
    const body = { version, labels: ['production'] };
    const answer = await this.#send('PATCH', `/v1/prompts/${name}/labels`, body, 'PATCH labels');
    const outcome = answer && ledger.judge('PATCH labels', answer.status);
    if (outcome === 'acknowledged') ledger.labels.set(name, [version]);
    else if (outcome === 'refused') ledger.labels.set(name, allowed);
    return answer;
  }

  addKey(): Promise<Answer | null> {
    const { caller, random } = this.#options;
    const name = `key ${random.hex(6)}`;
    const path = `/v1/projects/${caller.projectId}/api-keys`;
    return this.#change('an API key', 1, 'POST', path, { name }, async (made) => {
      const found = await this.#pages(path, 'apiKeys', ({ name: other }) => other === name);
      if (!made) return found;
      const { url } = this.#options.reader();
      const answer = await sendJson('GET', `${url}/v1/sdk/whoami`, { 'x-api-key': made.body.key });
      return answer?.status === 200 ? found : 0;
    });
  }

  addEvaluator(): Promise<Answer | null> {
    const { caller, random } = this.#options;
    const slug = `none-${random.hex(6)}`;
    const path = `/v1/projects/${caller.projectId}/evaluators`;
    const body = { slug, type: 'contains', target: 'span', config: { value: 'x' }, filter: { models: ['nobody calls it'] } };
    return this.#change('an evaluator', 1, 'POST', path, body, () => this.#pages(path, 'evaluators', (row) => row.slug === slug));
  }

  async addDataset(datasets: Dataset[]): Promise<Answer | null> {
    const name = `dataset ${this.#options.random.hex(6)}`;
    const answer = await this.#change('a dataset', 1, 'POST', '/v1/datasets', { name }, () =>
      this.#pages('/v1/datasets', 'datasets', (row) => row.name === name),
    );
    if (answer?.status === 201) datasets.push({ id: answer.body.id, itemIds: [], runId: null });
    return answer;
  }

  async addItems(dataset: Dataset): Promise<Answer | null> {
    const batch = this.#options.random.hex(6);
    const rows = this.#options.random.whole(1, 60);
    const items = Array.from({ length: rows }, (_, index) => ({ input: { batch, index } }));
    const path = `/v1/datasets/${dataset.id}/items`;
    const answer = await this.#change('a batch of items', rows, 'POST', path, { items }, async () => {
      const { items: found } = await this.#read(path, { items: [] });
      return (found as Array<{ input: { batch: string } }>).filter(({ input }) => input.batch === batch).length;
    });
    if (answer?.status === 201) dataset.itemIds.push(...(answer.body.items as Array<{ id: string }>).map(({ id }) => id));
    return answer;
  }

  async addRunItems(dataset: Dataset): Promise<Answer | null> {
    if (dataset.itemIds.length === 0) return this.addItems(dataset);
    const path = `/v1/datasets/${dataset.id}/runs`;
    if (dataset.runId === null || this.#options.random.chance(0.3)) {
      const name = `run ${this.#options.random.hex(6)}`;
      const answer = await this.#change('a run', 1, 'POST', path, { name }, () =>
        this.#pages(path, 'runs', (row) => row.name === name),
      );
      if (answer?.status === 201) dataset.runId = answer.body.id;
      return answer;
    }
    const runId = dataset.runId;
    dataset.runId = null;
    const items = dataset.itemIds.slice(0, 20).map((datasetItemId) => ({ datasetItemId, output: 'x', latencyMs: 5 }));
    return this.#change('the items of a run', items.length, 'POST', `${path}/${runId}/items`, { items }, async () => {
      const run = await this.#read(`${path}/${runId}`, { aggregates: { itemCount: 0 } });
      return run.aggregates.itemCount;
    });
  }

  /** Makes a change and records it together with a check. */
  async #change(
    what: string,
    rows: number,
    method: string,
    path: string,
    body: unknown,
    observe: (made: Answer | null) => Promise<number>,
  ): Promise<Answer | null> {
    const { ledger } = this.#options;
    let made: Answer | null = null;
    const change: SentChange = {
      what: `${what} (${JSON.stringify(body).slice(0, 60)})`,
      rows,
      outcome: 'unknown',
      observe: () => observe(made),
    };
    ledger.changes.push(change);
    const answer = await this.#send(method, path, body, `${method} ${what.split(' of ')[0]}`);
    if (answer) change.outcome = ledger.judge(`${method} ${what.split(' of ')[0]}`, answer.status);
    if (change.outcome === 'acknowledged') made = answer;
    return answer;
  }

  async #send(method: string, path: string, body: unknown, what: string): Promise<Answer | null> {
    const { caller, ledger } = this.#options;
    const inProject = path.startsWith('/v1/projects/') ? {} : { projectId: caller.projectId };
    const answer = await sendJson(
      method,
      `${caller.url}${path}`,
      { cookie: caller.cookie },
      { ...(body as object), ...inProject },
    );
    if (!answer) ledger.judge(what, null);
    return answer;
  }

  /** The value of a route, or `otherwise` on 404. */
  async #read(path: string, otherwise: Answer['body']): Promise<Answer['body']> {
    const { url, cookie, projectId } = this.#options.reader();
    const at = `${url}${path}${path.includes('?') ? '&' : '?'}projectId=${projectId}`;
    const answer = await sendJson('GET', path.startsWith('/v1/projects/') ? `${url}${path}` : at, { cookie });
    if (answer?.status === 404) return otherwise;
    if (answer?.status !== 200) return read(at, { cookie });
    return answer.body;
  }

  async #pages(path: string, rows: string, wanted: (row: Answer['body']) => boolean): Promise<number> {
    let found = 0;
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Answer['body'] = await this.#read(`${path}?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`, {
        [rows]: [],
      });
      found += (page[rows] as unknown[]).filter(wanted).length;
      cursor = (page.nextCursor as string | null | undefined) ?? null;
    }
    return found;
  }
}
