import { Document, visit } from 'yaml';
import { defaultActionOf } from '../../../contract/guardrails.ts';
import { policyApiVersion, policyDocuments } from '../../../contract/policies.ts';
import type { GuardrailSpec, Specification } from '../../policy-revisions/index.ts';

/** Characters that a policy file has as escapes in double quotes only: U+FFFD stands for text that is not UTF-8. */
const escaped = /(?![\n])\p{Cc}|[\u2028\u2029\ufeff\ufffd-\uffff]|\p{Cs}/u;
const escapedEach = new RegExp(escaped, 'gu');

/** A policy as a document of a policy file, without the fields that have their default. */
export function renderPolicy({ kind, name, spec }: Specification): string {
  const given = kind === 'Guardrail' ? withoutDefaults(name, spec) : spec.description === '' ? {} : spec;
  const content = {
    apiVersion: policyApiVersion,
    kind,
    metadata: { name },
    ...(Object.keys(given).length > 0 && { spec: given }),
  };
  const document = new Document(content, { version: '1.2', aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'string' && escaped.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document
    .toString({ lineWidth: 0 })
    .replaceAll(escapedEach, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function withoutDefaults(name: string, spec: GuardrailSpec): Partial<GuardrailSpec> {
  const { displayName, type, ...fields } = spec;
  const { stage, config, environments, priority, enabled, onError } = policyDocuments.Guardrail.shape.spec.parse({ type });
  const defaults: Record<string, unknown> = {
    stage,
    action: defaultActionOf(type),
    config,
    environments,
    priority,
    enabled,
    onError,
  };
  const given = Object.entries(fields).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(defaults[field]));
  return { ...(displayName !== name && { displayName }), type, ...Object.fromEntries(given) };
}
