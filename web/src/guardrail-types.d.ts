/** What the guardrail engine says of its types; `guardrail-types-plugin.ts` provides it. */
declare module 'virtual:guardrail-types' {
  export const guardrailTypes: ReadonlyArray<{
    name: import('./api/parts.ts').GuardrailTypeName;
    title: string;
    hint: string;
    redacts: boolean;
    defaultAction: import('./api/parts.ts').GuardrailAction;
    /** A configuration that the form begins with where the type has no fields of its own. */
    example: Readonly<Record<string, unknown>>;
    /** A text that triggers it. */
    sample?: string;
    isRemote: boolean;
  }>;
  /** By name. */
  export const piiEntityTitles: Readonly<Record<string, string>>;
  export const secretLabels: readonly string[];
}
