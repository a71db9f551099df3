import type { z } from 'zod';
import type { RequestActor } from '../../contract/actor.ts';
import type { Permission } from '../../contract/permissions.ts';
import type { KeyScopes, Tenant } from '../../platform/http/index.ts';
import type { McpPorts } from './mcp-ports.ts';

/** The answer of a tool: an object of JSON values. */
export type Answer = Record<string, unknown>;

/** For whom a tool is called, and the verbs that it may call. */
export interface ToolCall {
  tenant: Tenant;
  actor: RequestActor;
  /** Whether they are an owner or admin. */
  administers: boolean;
  ports: McpPorts;
  /** Notes that an API key has used one of the scopes. */
  noteScope(needed: KeyScopes): void;
}

/** A tool of the MCP server. */
export interface Tool<Schema extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  /** What it answers, for the model that chooses among the tools. */
  description: string;
  /** The arguments, named as the parameters of the routes. */
  input: Schema;
  /** What an API key needs of scopes. */
  keyScopes: KeyScopes;
  /** The permission that a writing tool needs; undefined: it reads. */
  permission?: Permission;
  /** Errors: those of the verb, as `ServiceError`. */
  run(call: ToolCall, input: z.output<Schema>): Promise<Answer>;
}

/** Types the arguments of `run` by the tool's own schema. */
export function defineTool<Schema extends z.ZodType>(tool: Tool<Schema>): Tool {
  return tool as unknown as Tool;
}
