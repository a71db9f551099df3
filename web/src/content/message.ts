/** An image, sound or file in a message. */
export interface MediaPart {
  kind: 'media';
  medium: 'image' | 'audio' | 'video' | 'file';
  /** What it is, in a few words. */
  label: string;
  /** A data URL or a link to http or https; null where the message has neither or it is too long. */
  url: string | null;
}

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
  | MediaPart
  | { kind: 'other'; value: unknown };

export type ToolCall = Extract<Part, { kind: 'tool-call' }>;

/** A message of a conversation. */
export interface Message {
  role: string;
  /** Name of the participant or the tool, if given. */
  name: string | null;
  parts: Part[];
}
