import type { Convention } from '../readers/convention.ts';
import { convention as ag2 } from './ag2.ts';
import { convention as claudeCode } from './claude-code.ts';
import { convention as flue } from './flue.ts';
import { convention as genAi } from './gen-ai.ts';
import { convention as genkit } from './genkit.ts';
import { convention as googleAdk } from './google-adk.ts';
import { convention as laminar } from './laminar.ts';
import { convention as langchain } from './langchain.ts';
import { convention as langfuse } from './langfuse.ts';
import { convention as langsmith } from './langsmith.ts';
import { convention as langwatch } from './langwatch.ts';
import { convention as litellm } from './litellm.ts';
import { convention as livekit } from './livekit.ts';
import { convention as mastra } from './mastra.ts';
import { convention as mcp } from './mcp.ts';
import { convention as mlflow } from './mlflow.ts';
import { convention as openTelemetry } from './open-telemetry.ts';
import { convention as openinference } from './openinference.ts';
import { convention as openlit } from './openlit.ts';
import { convention as pydanticAi } from './pydantic-ai.ts';
import { convention as sentry } from './sentry.ts';
import { convention as spanwise } from './spanwise.ts';
import { convention as traceloop } from './traceloop.ts';
import { convention as usageObjects } from './usage-objects.ts';
import { convention as vercelAiSdk } from './vercel-ai-sdk.ts';
import { convention as voltagent } from './voltagent.ts';

/**
 * Every convention (docs/semantics.md, "OTLP attributes"). Their order has no effect: of several that read an attribute for a field, at
 * most one reads it in a span, and `fieldPriority` orders the attributes.
 */
export const conventions: readonly Convention[] = [
  ag2,
  claudeCode,
  flue,
  genAi,
  genkit,
  googleAdk,
  laminar,
  langchain,
  langfuse,
  langsmith,
  langwatch,
  litellm,
  livekit,
  mastra,
  mcp,
  mlflow,
  openTelemetry,
  openinference,
  openlit,
  pydanticAi,
  sentry,
  spanwise,
  traceloop,
  usageObjects,
  vercelAiSdk,
  voltagent,
];
