import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ServiceError } from '../../contract/errors.ts';
import { publicError, validated } from '../../platform/http/index.ts';
import { nestsDeeper } from '../../platform/json/index.ts';
import { toolResult } from './answers/tool-result.ts';
import type { Tool, ToolCall } from './tool.ts';

/** More than items and prompts may nest. */
const maxDepth = 120;

/**
 * Validates the arguments and calls a tool. An error is a result with `isError` and its sentence, so that a model can mend its call.
 *
 * @param onError is called with an error that is not the caller's
 */
export async function callTool(
  tool: Tool,
  call: ToolCall,
  given: unknown,
  onError: (error: unknown) => void,
): Promise<CallToolResult> {
  try {
    if (nestsDeeper(given, maxDepth)) {
      throw new ServiceError('invalid_request', `Send arguments that nest at most ${maxDepth} levels deep.`);
    }
    requireOwnProject(given, call);
    call.noteScope(tool.keyScopes);
    return toolResult(await tool.run(call, validated(tool.input, given, 'arguments')));
  } catch (error) {
    if (publicError(error).status === 500) onError(error);
    return refusedResult(error);
  }
}

/** An error as the result of a tool. */
export function refusedResult(error: unknown): CallToolResult {
  const { code, message, details } = publicError(error);
  return {
    content: [{ type: 'text', text: message }],
    structuredContent: { error: message, code, ...(details ? { details } : {}) },
    isError: true,
  };
}

/** A project in the arguments would have no effect: the URL or the key names it. */
function requireOwnProject(given: unknown, { tenant }: ToolCall): void {
  const { projectId } = given as { projectId?: unknown };
  if (projectId === undefined || projectId === tenant.projectId) return;
  throw new ServiceError(
    'not_found',
    'There is no such project for this connection; name the project in the URL, as /mcp?projectId=.',
  );
}
