import type { Operation } from './answer-fault.ts';
import type { JsonSchema } from './value-of-schema.ts';

type Security = Array<Record<string, unknown>>;
type Described = Omit<Operation, 'method' | 'path' | 'body' | 'takesTokens'> & {
  security?: Security;
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
};

/** Every operation of the OpenAPI document that the service at `url` serves. */
export async function readOperations(url: string): Promise<Operation[]> {
  const document: unknown = await (await fetch(`${url}/v1/openapi.json`)).json();
  const { paths, security: ofMost } = resolved(document, document, new Map()) as {
    paths: Record<string, Record<string, Described>>;
    security: Security;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'trace')
      .map(([method, { parameters = [], requestBody, responses, security = ofMost }]) => ({
        method: method.toUpperCase(),
        path,
        parameters,
        body: requestBody?.content['application/json']?.schema ?? null,
        responses,
        takesTokens: security.length === 0 || security.some((scheme) => 'token' in scheme),
      })),
  );
}

/**
 * A part of the document with what it refers to in the place of each `$ref`. The same reference gives the same object.
 *
 * @throws {Error} for a reference to nothing or to itself
 */
function resolved(part: unknown, document: unknown, known: Map<string, unknown>): unknown {
  if (Array.isArray(part)) return part.map((one) => resolved(one, document, known));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...beside } = part as { $ref?: unknown };
  if (typeof $ref !== 'string') return mapValues(part, (value) => resolved(value, document, known));
  if (!known.has($ref)) {
    known.set($ref, null);
    known.set($ref, resolved(at(document, $ref), document, known));
  }
  const target = known.get($ref);
  if (typeof target !== 'object' || target === null) throw new Error(`${$ref} refers to itself or to nothing`);
  return Object.keys(beside).length === 0
    ? target
    : { ...target, ...mapValues(beside, (value) => resolved(value, document, known)) };
}

function at(document: unknown, reference: string): unknown {
  const keys = reference.replace(/^#\//, '').split('/');
  return keys.reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
}

function mapValues(values: object, to: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, to(value)]));
}

/**
 * Query parameters and top-level body fields of a request that its operation does not declare. A test with such a request could not
 * fail.
 *
 * @param url path and query, without scheme and host
 * @returns one text for each; a single one when there is no operation of this method and path
 */
export function undeclaredNames(operations: readonly Operation[], method: string, url: string, body?: unknown): string[] {
  const { pathname, searchParams } = new URL(url, 'http://service');
  const operation = operations.find((one) => one.method === method && matches(one.path, pathname));
  if (!operation) return [`no operation ${method} ${pathname}`];
  const declared = new Set(operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name));
  const parameters = [...searchParams.keys()].filter((name) => !declared.has(name)).map((name) => `query parameter ${name}`);
  if (body === undefined) return parameters;
  const fields = new Set(fieldsOf(operation.body));
  const unknown = Object.keys(body as object).filter((name) => !fields.has(name));
  return [...parameters, ...unknown.map((name) => `body field ${name}`)];
}

function matches(path: string, pathname: string): boolean {
  const declared = path.split('/');
  const sent = pathname.split('/');
  return declared.length === sent.length && declared.every((part, index) => part.startsWith('{') || part === sent[index]);
}

/** The names of an object's fields in all alternatives of its schema. */
function fieldsOf(schema: JsonSchema | null): string[] {
  if (schema === null) return [];
  const {
    properties = {},
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema as {
    properties?: Record<string, unknown>;
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    allOf?: JsonSchema[];
  };
  return [...Object.keys(properties), ...[...anyOf, ...oneOf, ...allOf].flatMap(fieldsOf)];
}
