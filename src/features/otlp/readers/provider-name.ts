import { label } from './attribute-readers.ts';
import type { Reader } from './convention.ts';

/** The suffix by which the Vercel AI SDK names the provider's interface. */
const api = /\.(?:chat|messages|responses|completions?|embeddings?|text-?embedding|image|speech|transcription|generative-ai)$/i;

/** Frameworks, which some instrumentations name as the provider of the model. */
const frameworks: ReadonlySet<string> = new Set(
  `ag2 agent_framework agno ai-sdk autogen autogen_agentchat camel controlflow crewai dspy dynamiq embedchain google_adk google-adk haystack
  instructor julep langchain langfuse langgraph letta litellm llama_index llama-index llamaindex mastra mcp mem0 microsoft.agent_framework
  microsoft.semantic_kernel multion openai_agents openai-agents opentelemetry phidata pydantic_ai pydantic-ai semantic_kernel semantic-kernel
  smolagents spring_ai strands strands-agents traceloop voltagent`.split(/\s+/),
);

/** Reads a provider's name without that suffix: `openai.chat` is `openai`; `aws.bedrock` is unchanged. */
export const providerName: Reader<string> = (value, span) => label(value, span)?.replace(api, '');

/** Whether a name is that of a framework, which provides no model (docs/semantics.md, "Providers"). */
export function isFramework(name: string): boolean {
  return frameworks.has(name.toLowerCase());
}
