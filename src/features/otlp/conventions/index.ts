import type { Convention } from '../mapping/convention.ts';
import { convention as claudeCode } from './claude-code.ts';
import { convention as genAi } from './gen-ai.ts';
import { convention as langfuse } from './langfuse.ts';
import { convention as langsmith } from './langsmith.ts';
import { convention as mlflow } from './mlflow.ts';
import { convention as openTelemetry } from './open-telemetry.ts';
import { convention as openinference } from './openinference.ts';
import { convention as pydanticAi } from './pydantic-ai.ts';
import { convention as traceloop } from './traceloop.ts';
import { convention as vercelAiSdk } from './vercel-ai-sdk.ts';

/**
 * Every convention (docs/semantics.md, "OTLP attributes"). Their order has no effect: each attribute of a field belongs to one
 * convention, and `fieldPriority` orders the attributes.
 */
export const conventions: readonly Convention[] = [
  claudeCode,
  genAi,
  langfuse,
  langsmith,
  mlflow,
  openTelemetry,
  openinference,
  pydanticAi,
  traceloop,
  vercelAiSdk,
];
