import type { Answer } from '../../../platform/http/http-service.fixture.ts';
import { byKey, openFixProposalsService } from './fix-proposals-service.fixture.ts';
import type { FixProposalsService } from './fix-proposals-service.fixture.ts';

export const basePrompt = 'You answer questions.\nBe brief.\n{{question}}';
export const revised = 'You answer questions.\nBe brief. Cite the source.\n{{question}}';
export const answer = { rationale: 'The answers had no source.', prompt: revised };
/** Costs 0.0035 USD with gpt-4o. */
export const usage = { usage: { prompt_tokens: 1_000, completion_tokens: 100 } };

interface Used {
  name: string;
  version?: number;
}

/** A service with a model connection `main`, and what tests store in it. */
export interface ProposalScenes {
  service: FixProposalsService;
  /** A name that no other scene has. */
  newName(): string;
  /** Stores a trace with a call of each prompt. @returns its id */
  traceOf(...used: Used[]): Promise<string>;
  /** A prompt of one version, and an incident whose only trace used it. */
  scene(prompt?: object): Promise<{ name: string; incidentId: string; traceId: string }>;
  /** Fetches a prompt; `more` selects the version. */
  versionOf(name: string, more?: string): Promise<Answer['body']>;
  countOf(name: string): Promise<number>;
}

export async function openProposalScenes(): Promise<ProposalScenes> {
  const service = await openFixProposalsService();
  await service.connect('main');
  let made = 0;
  const scenes: ProposalScenes = {
    service,
    newName: () => `prompt ${++made}`,
    traceOf: async (...used) => {
      const traceId = `trace-${++made}`;
      const spans = used.map(({ name, version }, index) => ({
        traceId,
        spanId: `s${index}`,
        name: 'answer',
        promptName: name,
        promptVersion: version === undefined ? '' : String(version),
        input: '"What is it?"',
        output: `"Output of ${traceId}"`,
      }));
      await service.store({ spans: used.length === 0 ? [{ traceId, spanId: 'root', name: 'answer' }] : spans });
      return traceId;
    },
    scene: async (prompt = {}) => {
      const name = scenes.newName();
      await service.prompt({ name, prompt: basePrompt, ...prompt });
      const traceId = await scenes.traceOf({ name, version: 1 });
      return { name, traceId, incidentId: service.incident([traceId]) };
    },
    versionOf: async (name, more = '') =>
      (await service.request(byKey, 'GET', `/v1/prompts?name=${encodeURIComponent(name)}${more}`)).body,
    countOf: async (name) =>
      (await service.request(byKey, 'GET', `/v1/prompts/${encodeURIComponent(name)}/versions`)).body.versions.length,
  };
  return scenes;
}
