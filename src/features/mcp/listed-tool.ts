import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Tool } from './tool.ts';

const listed = new Map<Tool, ListedTool>();

/** A tool as `tools/list` shows it. */
export function listedTool(tool: Tool): ListedTool {
  let shown = listed.get(tool);
  if (!shown) listed.set(tool, (shown = describe(tool)));
  return shown;
}

function describe({ name, title, description, input, permission }: Tool): ListedTool {
  const isReading = permission === undefined;
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input),
    annotations: { title, readOnlyHint: isReading, destructiveHint: false, idempotentHint: isReading, openWorldHint: false },
  };
}

/** The JSON Schema of the arguments, without `projectId`, which the URL names. */
function schemaOf(input: z.ZodType): ListedTool['inputSchema'] {
  const {
    $schema: _dialect,
    properties,
    ...schema
  } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    // The pattern of a timestamp is longer than all else that is said about it.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  const { projectId: _projectId, ...named } = properties ?? {};
  return { ...schema, type: 'object', properties: named } as ListedTool['inputSchema'];
}
