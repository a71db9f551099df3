import { createContext } from 'react';
import type { Part } from './read-messages.ts';

export type ToolCall = Extract<Part, { kind: 'tool-call' }>;

/** What is known of a call of a tool beside the conversation that it stands in. */
export interface ToolRun {
  /** What it gave, where the conversation itself does not say; with where that was found. */
  result: { value: unknown; from: string } | null;
  /** The span that ran it. */
  span: RunSpan | null;
}

export interface RunSpan {
  name: string;
  /** Null while it runs. */
  durationMs: number | null;
  /** Why it failed, null when it did not. */
  failure: string | null;
  open(): void;
}

/** Tells what ran a call of a tool, for the conversations under it; null where nothing is known. */
export const ToolRuns = createContext<(call: ToolCall) => ToolRun | null>(() => null);
