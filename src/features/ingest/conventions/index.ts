import type { Convention } from '../otlp/convention.ts';
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

/** Every convention, in the contract's order of preference (section 3). */
export const conventions: readonly Convention[] = [
  genAi,
  openinference,
  traceloop,
  vercelAiSdk,
  langfuse,
  langsmith,
  mlflow,
  claudeCode,
  pydanticAi,
  openTelemetry,
];
