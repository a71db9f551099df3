/** A part of a message. */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  | {
      kind: 'tool-call';
      id: string | null;
      name: string;
      arguments: unknown;
      result: unknown;
      answered: boolean;
      /** Index of the call in the conversation, from 0. */
      place: number;
    }
  | { kind: 'tool-result'; id: string | null; name: string | null; result: unknown }
  | { kind: 'media'; label: string }
  | { kind: 'other'; value: unknown };

export type ToolCall = Extract<Part, { kind: 'tool-call' }>;

/** A message of a conversation. */
export interface Message {
  role: string;
  /** Name of the participant or the tool, if given. */
  name: string | null;
  parts: Part[];
}
