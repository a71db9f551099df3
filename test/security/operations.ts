import type { Operation } from './answer-fault.ts';
import type { JsonSchema } from './value-of-schema.ts';

type Described = Omit<Operation, 'method' | 'path' | 'body' | 'takesTokens'> & {
  security?: Array<Record<string, unknown>>;
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
};

/** Every operation of the OpenAPI document that the service at `url` serves. */
export async function readOperations(url: string): Promise<Operation[]> {
  const document = (await (await fetch(`${url}/v1/openapi.json`)).json()) as { paths: Record<string, Record<string, Described>> };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'trace')
      .map(([method, { parameters = [], requestBody, responses, security = [] }]) => ({
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
