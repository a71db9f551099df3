import type { JsonLimits } from '../json/index.ts';

const kibibyte = 1_024;
const mebibyte = 1_048_576;

export interface BodyLimits extends JsonLimits {
  bytes: number;
}

/** What most bodies may hold as JSON. */
const few = { values: 10_000, levels: 64 };
/** Free-form JSON of callers. The features limit its levels further where they walk it. */
const many = { values: 2_000_000, levels: 1_000 };

/**
 * The bodies that routes take (docs/semantics.md, "Request bodies"): a route names its kind in `config.body`. By default a route with a schema for its body
 * takes a `small` one, and another one `none`. Bodies of telemetry and imported files are read by their routes (`own`).
 */
export const bodyLimits = {
  /** Nothing but `projectId` with which a session names its project. */
  none: { bytes: 8 * kibibyte, ...few },
  /** Of people who have not signed in. */
  signIn: { bytes: 8 * kibibyte, ...few },
  small: { bytes: 64 * kibibyte, ...few },
  /** Some texts or 64 KiB of metadata, with every character escaped. */
  fields: { bytes: 512 * kibibyte, ...few },
  /** Long texts: of models, of scenarios and their targets, of MCP tools. */
  texts: { bytes: mebibyte, ...few },
  /** A prompt of 1 MB, with the characters escaped. */
  prompt: { bytes: 5 * mebibyte, ...few },
  /** A text of 256 KiB, each byte of it escaped in six, and the other fields. */
  checkedText: { bytes: 6 * 256 * kibibyte + 128 * kibibyte, ...few },
  /** 1 MiB of policy files, escaped: 200 files with a path and a content each, and room for what is refused with its place. */
  policyFiles: { bytes: 8 * mebibyte, ...many },
  /** Guardrails with their schemas, and outcomes with their metadata. */
  records: { bytes: mebibyte, ...many },
  /** Items of datasets and runs. */
  items: { bytes: 16 * mebibyte, ...many },
  /** An evidence pack as it was downloaded. */
  pack: { bytes: 16 * mebibyte, ...many },
} as const satisfies Record<string, BodyLimits>;

export type BodyKind = keyof typeof bodyLimits | 'own';

/** The limits of a kind; null for bodies that routes read themselves. */
export function bodyLimitsOf(kind: BodyKind): BodyLimits | null {
  return kind === 'own' ? null : bodyLimits[kind];
}

/** Bytes as people write them: `64 KiB`. */
export function shownBytes(bytes: number): string {
  return bytes >= mebibyte && bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes / kibibyte} KiB`;
}
