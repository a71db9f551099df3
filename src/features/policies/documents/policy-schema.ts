import { z } from 'zod';
import { canRedact, configSchema, guardrailTypes } from '../../../../packages/guardrails/src/index.ts';
import { guardrailActions } from '../../../contract/guardrails.ts';
import type { GuardrailTypeName } from '../../../contract/guardrails.ts';
import { policyDocuments, policyKinds } from '../../../contract/policies.ts';

type JsonSchema = Record<string, unknown>;

/** The JSON Schema (draft 2020-12) of a policy document, for editors. Made from the rules that check documents. */
export function policySchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Spanwise policy',
    description: 'A document of a policy file: an environment or a guardrail.',
    type: 'object',
    properties: { kind: { enum: policyKinds } },
    required: ['kind'],
    allOf: policyKinds.map((kind) => when('kind', kind, documentSchema(policyDocuments[kind]))),
  };
}

function documentSchema(document: (typeof policyDocuments)[keyof typeof policyDocuments]): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(document, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  if (document !== policyDocuments.Guardrail) return schema;
  const { spec } = schema['properties'] as { spec: JsonSchema };
  spec['allOf'] = guardrailTypes.map((type) => when('type', type, ofType(type)));
  return schema;
}

function ofType(type: GuardrailTypeName): JsonSchema {
  const config = configSchema(type);
  return {
    properties: {
      config,
      ...(canRedact(type) ? {} : { action: { enum: guardrailActions.filter((action) => action !== 'redact') } }),
    },
    ...('required' in config ? { required: ['config'] } : {}),
  };
}

/** The schema of objects whose field has a value. Without `then`: the linter takes an object with that member for a promise. */
function when(name: string, value: string, schema: JsonSchema): JsonSchema {
  return { if: { not: { properties: { [name]: { const: value } }, required: [name] } }, else: schema };
}
