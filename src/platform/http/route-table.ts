import type { RouteOptions } from 'fastify';
import type { Access } from './access.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route that is registered, with who may call it. */
    routeTable: RouteTable;
  }
}

/** A registered route; `path` with its parameters as `:name`. */
export interface RouteEntry {
  path: string;
  methods: readonly string[];
  access: Access;
}

/** The registered routes: refuses one that does not say who may call it, and knows which methods a path takes. */
export class RouteTable {
  readonly #routes: Array<RouteEntry & { pattern: RegExp }> = [];

  /**
   * Takes note of a route (Fastify's `onRoute`). Throws when it declares no access: what nobody thought about is closed.
   */
  add(route: RouteOptions & { path: string }): void {
    if (route.config?.access === undefined) {
      throw new Error(`route ${String(route.method)} ${route.path} declares no access; say in config.access who may call it`);
    }
    const { access } = route.config;
    const scope = access.who === 'session' ? access.scope : null;
    if (scope === 'project' && !route.path.includes('/projects/:id')) {
      throw new Error(
        `route ${String(route.method)} ${route.path} is about a project, which its path must name as /projects/:id`,
      );
    }
    if (scope === 'organization' && !route.path.includes('/organizations/:orgId')) {
      throw new Error(
        `route ${String(route.method)} ${route.path} is about an organisation, which its path must name as /organizations/:orgId`,
      );
    }
    const pattern = new RegExp(`^${route.path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+')}$`);
    this.#routes.push({ pattern, path: route.path, methods: [route.method].flat(), access });
  }

  /** All routes, hidden ones too: what the OpenAPI document leaves out is open to callers all the same. */
  entries(): readonly RouteEntry[] {
    return this.#routes;
  }

  /** The methods that a URL's path takes, none when there is no such path. */
  methodsAt(url: string): string[] {
    const path = url.split('?', 1)[0] ?? '';
    const methods = this.#routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    return [...new Set(methods)].toSorted();
  }
}
