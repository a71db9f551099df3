import { isRecord } from '../../../platform/json/index.ts';
import { jsonLabel, labelOf, numberOf, record, tokensIn, versionOf } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { kindByName } from '../readers/kind-by-name.ts';
import { jsonPayload } from '../readers/payload-json.ts';

const usage = 'mlflow.chat.tokenUsage';

/** Reads a member of the first linked prompt: `[{"name": ..., "version": ...}]`. */
function ofPrompt<T>(name: string, read: (member: unknown) => T | undefined): Reader<T> {
  return (value, span) => {
    const prompts = typeof value === 'string' ? span.json(value) : undefined;
    const prompt: unknown = Array.isArray(prompts) ? prompts[0] : undefined;
    return isRecord(prompt) ? read(prompt[name]) : undefined;
  };
}

const cost: Reader<number> = (value, span) => numberOf(value) ?? numberOf(record(value, span)?.['total_cost']);

/** MLflow Tracing; every value is JSON text. */
export const convention: Convention = {
  name: 'mlflow',
  fields: {
    kind: { 'mlflow.spanType': kindByName },
    responseModel: { 'mlflow.llm.model': jsonLabel },
    provider: { 'mlflow.llm.provider': jsonLabel },
    input: { 'mlflow.spanInputs': jsonPayload },
    output: { 'mlflow.spanOutputs': jsonPayload },
    inputTokens: { [usage]: tokensIn(['input_tokens']) },
    outputTokens: { [usage]: tokensIn(['output_tokens']) },
    cachedTokens: { [usage]: tokensIn(['cache_read_input_tokens']) },
    cacheWriteTokens: { [usage]: tokensIn(['cache_creation_input_tokens']) },
    totalTokens: { [usage]: tokensIn(['total_tokens']) },
    costUsd: { 'mlflow.llm.cost': cost },
    sessionId: { 'mlflow.trace.session': jsonLabel },
    userId: { 'mlflow.trace.user': jsonLabel },
    promptName: { 'mlflow.linkedPrompts': ofPrompt('name', labelOf) },
    promptVersion: { 'mlflow.linkedPrompts': ofPrompt('version', versionOf) },
  },
};
