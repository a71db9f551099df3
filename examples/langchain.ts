// LangChain.js: a callback handler opens a span for every run of a chain, a model or a tool.
// npm install @langchain/core @langchain/openai
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { Serialized } from '@langchain/core/load/serializable';
import type { BaseMessage } from '@langchain/core/messages';
import type { LLMResult } from '@langchain/core/outputs';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { ChatOpenAI } from '@langchain/openai';
import { Spanwise } from '@spanwise/sdk';
import type { Span, SpanOptions } from '@spanwise/sdk';

class SpanwiseHandler extends BaseCallbackHandler {
  readonly name = 'spanwise';
  readonly #spanwise: Spanwise;
  /** Open spans by the id of their run. */
  readonly #open = new Map<string, Span>();

  constructor(spanwise: Spanwise) {
    super();
    this.#spanwise = spanwise;
  }

  #start(runId: string, parentRunId: string | undefined, options: SpanOptions): void {
    const parent = this.#open.get(parentRunId ?? '');
    this.#open.set(runId, this.#spanwise.span({ ...options, ...(parent && { parent }) }));
  }

  #end(runId: string, fields: Parameters<Span['update']>[0]): void {
    const span = this.#open.get(runId);
    this.#open.delete(runId);
    span?.update(fields);
    span?.end();
  }

  override handleChainStart(_chain: Serialized, inputs: unknown, ...[runId, parentRunId, , , , runName]: ChainStart): void {
    this.#start(runId, parentRunId, { name: runName ?? 'chain', kind: 'chain', input: inputs });
  }

  override handleChainEnd(outputs: unknown, runId: string): void {
    this.#end(runId, { output: outputs });
  }

  override handleChatModelStart(_model: Serialized, messages: BaseMessage[][], ...[runId, parentRunId, extra]: ModelStart): void {
    const { model } = (extra?.['invocation_params'] ?? {}) as { model?: string };
    const input = messages[0]?.map((message) => ({ role: message.getType(), content: message.content }));
    this.#start(runId, parentRunId, { name: `chat ${model}`, kind: 'llm', provider: 'openai', model, input });
  }

  override handleLLMEnd({ generations, llmOutput }: LLMResult, runId: string): void {
    const usage = llmOutput?.['tokenUsage'] as { promptTokens?: number; completionTokens?: number } | undefined;
    this.#end(runId, {
      output: generations[0]?.[0]?.text,
      usage: { inputTokens: usage?.promptTokens, outputTokens: usage?.completionTokens },
    });
  }

  override handleToolStart(tool: Serialized, input: string, ...[runId, parentRunId, , , runName]: ToolStart): void {
    this.#start(runId, parentRunId, { name: runName ?? tool.id.at(-1) ?? 'tool', kind: 'tool', input });
  }

  override handleToolEnd(output: unknown, runId: string): void {
    this.#end(runId, { output });
  }

  override handleLLMError(error: Error, runId: string): void {
    this.#end(runId, { status: 'error', errorCode: error.name, errorMessage: error.message });
  }

  override handleChainError(error: Error, runId: string): void {
    this.handleLLMError(error, runId);
  }

  override handleToolError(error: Error, runId: string): void {
    this.handleLLMError(error, runId);
  }
}

type Extra = Record<string, unknown> | undefined;
type ChainStart = [runId: string, parentRunId?: string, tags?: string[], metadata?: Extra, runType?: string, runName?: string];
type ModelStart = [runId: string, parentRunId?: string, extra?: Extra];
type ToolStart = [runId: string, parentRunId?: string, tags?: string[], metadata?: Extra, runName?: string];

const spanwise = new Spanwise();
const chain = ChatPromptTemplate.fromTemplate('How is the weather in {city}?')
  .pipe(new ChatOpenAI({ model: 'gpt-4o' }))
  .pipe(new StringOutputParser());
console.log(await chain.invoke({ city: 'Paris' }, { runName: 'forecast', callbacks: [new SpanwiseHandler(spanwise)] }));
await spanwise.shutdown();
