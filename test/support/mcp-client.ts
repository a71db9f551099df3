import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** A connection of the protocol's own client. */
export interface McpConnection {
  client: Client;
  /** The names of the listed tools. */
  tools(): Promise<string[]>;
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
  /** The structured content of a call that succeeds. */
  answer(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The sentence of a call that fails. */
  refusal(name: string, args?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** Connects to `/mcp` of a service. @param query begins with `?` */
export async function connectMcp(url: string, headers: Record<string, string>, query = ''): Promise<McpConnection> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit: { headers } });
  // The transport's optional members are undefined, which the interface does not name.
  await client.connect(transport as Transport);
  const call: McpConnection['call'] = async (name, args = {}) =>
    CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call,
    answer: async (name, args) => {
      const result = await call(name, args);
      if (result.isError === true) throw new Error(`${name} failed: ${textOf(result)}`);
      return result.structuredContent ?? {};
    },
    refusal: async (name, args) => {
      const result = await call(name, args);
      if (result.isError !== true) throw new Error(`${name} succeeded`);
      return textOf(result);
    },
    close: () => client.close(),
  };
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

/** A message that each caller may send. */
export const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Sends a body without a client of the protocol. @param body text as it is; other values as JSON */
export function sendMcp(
  url: string,
  headers: Record<string, string>,
  body: unknown,
  { query = '', method = 'POST' }: { query?: string; method?: string } = {},
): Promise<Response> {
  return fetch(`${url}/mcp${query}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  });
}
