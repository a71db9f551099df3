import type { RouteOptions } from 'fastify';
import type { Access } from './access.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The registered routes with their access. */
    routeTable: RouteTable;
  }
}

/** A registered route; `path` with its parameters as `:name`. */
export interface RouteEntry {
  path: string;
  methods: readonly string[];
  access: Access;
}

/** The registered routes. Rejects a route that declares no access, and knows the methods of each path. */
export class RouteTable {
  readonly #routes: Array<RouteEntry & { pattern: RegExp }> = [];

  /**
   * Adds a route (Fastify's `onRoute`). Throws when it declares no access (default deny).
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
        `route ${String(route.method)} ${route.path} is about an organization, which its path must name as /organizations/:orgId`,
      );
    }
    const pattern = new RegExp(`^${route.path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+')}$`);
    this.#routes.push({ pattern, path: route.path, methods: [route.method].flat(), access });
  }

  /** All routes, also those that the OpenAPI document leaves out. */
  entries(): readonly RouteEntry[] {
    return this.#routes;
  }

  /** The methods of a URL's path; none when there is no such path. */
  methodsAt(url: string): string[] {
    const path = url.split('?', 1)[0] ?? '';
    const methods = this.#routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    return [...new Set(methods)].toSorted();
  }
}
