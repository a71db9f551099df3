import { labelOf } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';

/** Names of spans end with the method and the tool: `MCP send tools/call get_weather`. */
const calledTool: Reader<string> = (value, span) =>
  value === 'tools/call' ? labelOf(/tools\/call (\S.*)$/.exec(span.span?.name ?? '')?.[1]) : undefined;

/** The Model Context Protocol. */
export const convention: Convention = {
  name: 'mcp',
  fields: {
    kind: { 'mcp.method.name': (value) => (value === 'tools/call' ? 'tool' : undefined) },
    operation: { 'mcp.method.name': (value) => (value === 'tools/call' ? undefined : labelOf(value)) },
    toolName: { 'mcp.method.name': calledTool },
  },
};
