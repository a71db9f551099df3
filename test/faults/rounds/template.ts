import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../support/service.ts';
import type { Service } from '../../support/service.ts';
import { copyStores, hasStoreTemplates } from '../../support/store-templates.ts';
import { read, sendJson } from './api.ts';
import type { Caller } from './api.ts';
import { toolEvaluator } from './event-load.ts';

/** The credentials of the load, with a key for each sender: the rate limit applies to each key. */
export interface Callers {
  caller: Omit<Caller, 'url'>;
  keys: readonly string[];
  /** Events that counted towards the quota already. */
  used: number;
}

const senders = 4;

/** Signs in, and creates the keys and an evaluator of tool spans. */
export async function prepareCallers(service: Service): Promise<Callers> {
  const { cookie, projectId } = await service.signIn();
  const project = `${service.url}/v1/projects/${projectId}`;
  const keys: string[] = [];
  for (let number = 0; number < senders; number++) {
    const answer = await sendJson('POST', `${project}/api-keys`, { cookie }, { name: `sender ${number}` });
    if (answer?.status !== 201) throw new Error(`no API key: ${answer?.status}`);
    keys.push(answer.body.key);
  }
  const evaluator = {
    slug: toolEvaluator,
    type: 'latency',
    target: 'span',
    config: { maxMs: 1000 },
    filter: { kinds: ['tool'] },
  };
  const made = await sendJson('POST', `${project}/evaluators`, { cookie }, evaluator);
  if (made?.status !== 201) throw new Error(`no evaluator: ${made?.status} ${JSON.stringify(made?.body)}`);
  const { quota } = await read(`${project}/ingest-health`, { cookie });
  return { caller: { apiKey: service.apiKey, cookie, projectId }, keys, used: quota.used };
}

/** A data directory after a first start, copied for every round. */
export class Template {
  readonly callers: Callers;
  readonly #root: string;
  #rounds = 0;

  private constructor(root: string, callers: Callers) {
    this.#root = root;
    this.callers = callers;
  }

  static async make(): Promise<Template> {
    const root = mkdtempSync(join(tmpdir(), 'spanwise-faults-'));
    const dataDirectory = join(root, 'template');
    mkdirSync(dataDirectory, { mode: 0o700 });
    if (hasStoreTemplates()) copyStores(dataDirectory);
    const service = await startService({ dataDirectory, env: { SPANWISE_LOG_LEVEL: 'error' } });
    const callers = await prepareCallers(service);
    await service.stop('SIGTERM');
    return new Template(root, callers);
  }

  /** A new directory for a round; `empty` for a first start. */
  round({ empty = false } = {}): { path: string; remove(): void } {
    const root = join(this.#root, `round-${++this.#rounds}`);
    const path = join(root, 'data');
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (!empty) cpSync(join(this.#root, 'template'), path, { recursive: true, verbatimSymlinks: true });
    return { path, remove: () => rmSync(root, { recursive: true, force: true }) };
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
