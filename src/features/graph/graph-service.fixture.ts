import type { BlastRadius, Graph, GraphQuery } from '../../contract/graph.ts';
import type { Tenant } from '../../platform/http/index.ts';
import { cookieOf, openModelsService } from '../models/models-service.fixture.ts';
import type { ModelsService } from '../models/models-service.fixture.ts';
import type { GraphPorts } from './graph-context.ts';
import { graphRoutes } from './routes.ts';

export interface GraphService extends ModelsService {
  graph(project: Tenant, query?: GraphQuery): Promise<Graph>;
  /** null: 404. */
  blastRadius(project: Tenant, node: string, query?: GraphQuery): Promise<BlastRadius | null>;
}

const nothing: Pick<GraphPorts, 'changesBetween' | 'outcomesOfTraces'> = {
  changesBetween: () => Promise.resolve([]),
  outcomesOfTraces: () => Promise.resolve(0),
};

/** The graph's routes on real stores and the real pipeline. */
export async function openGraphService(ports: Partial<typeof nothing> = {}): Promise<GraphService> {
  const service = await openModelsService((app, context) => graphRoutes(app, { ...context, ...nothing, ...ports }));
  const read = async (project: Tenant, path: string, query: Record<string, string | string[] | undefined>) => {
    const sent = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().flatMap((one): Array<[string, string]> => (one === undefined ? [] : [[name, one]])),
    );
    const parameters = new URLSearchParams(sent);
    return service.request(`/v1/projects/${project.projectId}/${path}?${parameters}`, { cookie: cookieOf(project) });
  };
  return {
    ...service,
    async graph(project, query = {}) {
      const { status, body } = await read(project, 'graph', { ...query });
      if (status !== 200) throw new Error(`the graph answered ${status}: ${JSON.stringify(body)}`);
      return body as Graph;
    },
    async blastRadius(project, node, query = {}) {
      const { status, body } = await read(project, 'blast-radius', { ...query, node });
      if (status === 404) return null;
      if (status !== 200) throw new Error(`the blast radius answered ${status}: ${JSON.stringify(body)}`);
      return body as BlastRadius;
    },
  };
}
