import type { Feature, Platform } from '../../platform/feature/index.ts';
import { openRateLimit } from '../../platform/rate-limit/index.ts';
import type { McpPorts } from './mcp-ports.ts';
import { mcpRoutes } from './routes.ts';

/** Requests of a key or a user (docs/semantics.md, "MCP"). */
const rate = { capacity: 300, refillPerSecond: 5 };

/** The server of the Model Context Protocol, whose tools call the verbs of other features. */
export function open(platform: Pick<Platform, 'buckets' | 'clock' | 'log' | 'publicOrigin'>, ports: McpPorts): Feature {
  const buckets = openRateLimit(platform, rate, 'MCP requests');
  return { routes: (server) => mcpRoutes(server, { ports, buckets, publicOrigin: () => platform.publicOrigin() }) };
}
