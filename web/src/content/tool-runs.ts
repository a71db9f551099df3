import { createContext } from 'react';
import type { ToolCall } from './message.ts';

/** The result and the span of a tool call, as the trace has them. */
export interface ToolRun {
  /** The result and its source, if the conversation does not contain it. */
  result: { value: unknown; from: string } | null;
  /** The span that executed the call. */
  span: RunSpan | null;
}

export interface RunSpan {
  name: string;
  /** Milliseconds; null while running. */
  durationMs: number | null;
  /** The error, null if it succeeded. */
  failure: string | null;
  open(): void;
}

/** Looks up the run of a tool call, for conversations inside the provider; null if unknown. */
export const ToolRuns = createContext<(call: ToolCall) => ToolRun | null>(() => null);
