import type { SpanKind } from '../../../contract/kinds.ts';
import type { ConventionName } from '../../../contract/span-mapping.ts';
import type { AttributeValue } from './attribute.ts';
import type { FieldName } from './field-priority.ts';
import type { SpanView } from './span-view.ts';

/** What each field of `fieldPriority` is read as. */
export interface FieldTypes {
  kind: SpanKind;
  requestModel: string;
  responseModel: string;
  provider: string;
  agentName: string;
  operation: string;
  /** JSON text. */
  input: string;
  /** JSON text. */
  output: string;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  cacheOutsideInput: boolean;
  costUsd: number;
  timeToFirstTokenMs: number;
  sessionId: string;
  userId: string;
  tags: readonly string[];
  promptName: string;
  promptVersion: string;
  failed: boolean;
  errorCode: string;
  errorMessage: string;
  environment: string;
  release: string;
  service: string;
}

/** An attribute's value when it was set at all. */
export type Present = Exclude<AttributeValue, null>;

/**
 * Reads one attribute for one field. `undefined`: it says nothing about the field, and the next attribute of
 * `fieldPriority` is asked. Pure; never throws, whatever the value is.
 */
export type Reader<T> = (value: Present, span: SpanView) => T | undefined;

/** Which attribute of which convention is read. */
export interface ReadAttribute {
  readonly convention: ConventionName;
  /** As `fieldPriority` names it. */
  readonly attribute: string;
}

/**
 * One way to name things on spans: which attributes it has for each field, and how they are read. In which order the
 * attributes are asked is not its business (`fieldPriority`). Every attribute of a field belongs to exactly one convention.
 */
export interface Convention {
  readonly name: ConventionName;
  readonly fields: { readonly [F in FieldName]?: Readonly<Record<string, Reader<FieldTypes[F]>>> };
}
