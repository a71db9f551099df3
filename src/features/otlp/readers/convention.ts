import type { SpanKind } from '../../../contract/kinds.ts';
import type { PresentValue } from '../wire/attribute.ts';
import type { FieldName } from '../wire/field-priority.ts';
import type { SpanView } from './span-view.ts';

/** Tokens by class (docs/semantics/costs.md, "Classes of tokens"). */
export type TokenClasses = Readonly<Record<string, number>>;

/** The type of each field of `fieldPriority`. */
export interface FieldTypes {
  name: string;
  toolName: string;
  traceName: string;
  kind: SpanKind;
  requestModel: string;
  responseModel: string;
  responseId: string;
  provider: string;
  agentName: string;
  operation: string;
  /** JSON text. */
  input: string;
  /** JSON text of a message's parts, or a text. */
  systemInstructions: string;
  /** JSON text. */
  output: string;
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  tokenClasses: TokenClasses;
  cacheOutsideInput: boolean;
  reasoningOutsideOutput: boolean;
  costUsd: number;
  timeToFirstTokenMs: number;
  sessionId: string;
  userId: string;
  tags: readonly string[];
  promptName: string;
  /** A number if it was sent as one. */
  promptVersion: string | number;
  failed: boolean;
  errorCode: string;
  errorMessage: string;
  environment: string;
  release: string;
  service: string;
  /** A span of an evaluation. */
  origin: 'evaluation';
}

/**
 * Reads one attribute for one field. Returns undefined when the attribute does not determine the field; then the next attribute of
 * `fieldPriority` is tried. Pure; does not throw for any value.
 */
export type Reader<T> = (value: PresentValue, span: SpanView) => T | undefined;

/**
 * The attributes that one convention has for each field, and how they are read. Every attribute of a field belongs to exactly one
 * convention. The order in which attributes are tried is in `fieldPriority`.
 */
export interface Convention {
  /** Its name in `GET .../mapping`: lower-case letters, digits, `_` and `-`. */
  readonly name: string;
  readonly fields: { readonly [F in FieldName]?: Readonly<Record<string, Reader<FieldTypes[F]>>> };
}
