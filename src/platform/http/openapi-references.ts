/** Named parts of the document, such as its schemas. */
type Parts = Readonly<Record<string, unknown>>;

interface Operation {
  security?: unknown;
  parameters?: unknown[];
  responses?: Record<string, unknown>;
}

/** The parts of an OpenAPI document that are shortened here. */
export interface Document {
  security?: unknown;
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Parts };
}

const schemaPrefix = '#/components/schemas/';

/**
 * The document with references to what it repeats: named schemas, parameters, and the responses that have an error body. The credentials that most operations take
 * are stated once, for all operations that state no others. Only the schemas that it refers to are in it. One that is both sent and returned has one name where the
 * two are the same; otherwise what is sent is named `NameInput`.
 *
 * @param document lists every named schema, as `Name` and as `NameInput`
 */
export function withReferences(document: Document): Document {
  const { components: { schemas: all = {}, ...components } = {}, ...rest } = document;
  const names = shortNames(all, reachable(rest, all));
  const { paths = {}, ...described } = shortened(rest, names) as Document;
  const schemas = [...names].map(([name, short]): [string, unknown] => [short, shortened(all[name], names)]);
  const parameters = repeatedParameters(paths);
  const nameOf = new Map(Object.entries(parameters).map(([name, parameter]) => [JSON.stringify(parameter), name]));
  const security = mostFrequentSecurity(paths);
  return {
    ...described,
    ...(security === undefined ? {} : { security: JSON.parse(security) }),
    components: { ...components, schemas: byName(schemas), parameters, responses: { Error: errorResponse } },
    paths: mapValues(paths, (methods) =>
      mapValues(methods, (operation) => referring(withoutSecurity(operation, security), nameOf)),
    ),
  } as Document;
}

/** The names of schemas that a part of the document refers to, directly or through others. */
function reachable(part: unknown, all: Parts): Set<string> {
  const found = new Set<string>();
  const queue: unknown[] = [part];
  for (const value of queue) {
    if (typeof value !== 'object' || value === null) continue;
    const name = nameIn(value);
    if (name !== null && !found.has(name)) {
      found.add(name);
      queue.push(all[name]);
    }
    queue.push(...Object.values(value));
  }
  return found;
}

/** The name of each used schema in the document: without `Input` if no other schema has the shorter name, or the same one. */
function shortNames(all: Parts, used: ReadonlySet<string>): Map<string, string> {
  const text = (name: string) => JSON.stringify(all[name]).replaceAll(/(#\/components\/schemas\/\w+)Input"/g, '$1"');
  return new Map(
    [...used].map((name) => {
      const output = name.replace(/Input$/, '');
      return [name, !used.has(output) || text(name) === text(output) ? output : name];
    }),
  );
}

/** Formats that need no pattern, which is longer than all the rest of a schema. */
const formats: ReadonlySet<unknown> = new Set(['uuid', 'date', 'date-time', 'email']);

/** A part of the document with the short names of schemas, without the limits that every JSON number has and without patterns of known formats. */
function shortened(part: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(part)) return part.map((one) => shortened(one, names));
  if (typeof part !== 'object' || part === null) return part;
  const name = nameIn(part);
  const { minimum, maximum, format } = part as { minimum?: unknown; maximum?: unknown; format?: unknown };
  const isLeftOut = (key: string) =>
    (key === 'minimum' && minimum === Number.MIN_SAFE_INTEGER) ||
    (key === 'maximum' && maximum === Number.MAX_SAFE_INTEGER) ||
    (key === 'pattern' && formats.has(format));
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) => {
      if (key === '$ref' && name !== null) return [[key, `${schemaPrefix}${names.get(name) ?? name}`]];
      return isLeftOut(key) ? [] : [[key, shortened(value, names)]];
    }),
  );
}

/** The name of the schema that an object refers to; null if it refers to none. */
function nameIn(value: object): string | null {
  const { $ref } = value as { $ref?: unknown };
  return typeof $ref === 'string' && $ref.startsWith(schemaPrefix) ? $ref.slice(schemaPrefix.length) : null;
}

/** Parts in the order of their names, so that a new one moves no other. */
function byName(parts: Array<[string, unknown]>): Parts {
  return Object.fromEntries(parts.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
}

/** The parameters that several operations have, by name. Of different ones with one name, the most frequent has it, and the next ones `name.2`, `name.3`. */
function repeatedParameters(paths: NonNullable<Document['paths']>): Parts {
  const all = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ parameters = [] }) => parameters));
  const counts = new Map<string, number>();
  for (const parameter of all) counts.set(JSON.stringify(parameter), (counts.get(JSON.stringify(parameter)) ?? 0) + 1);
  const repeated = [...counts].filter(([, count]) => count > 1).toSorted(([, left], [, right]) => right - left);
  const parameters = repeated.map(([text]) => JSON.parse(text) as { name: string });
  const named = Map.groupBy(parameters, ({ name }) => name);
  return byName(
    [...named].flatMap(([name, same]) =>
      same.map((one, index): [string, unknown] => [index === 0 ? name : `${name}.${index + 1}`, one]),
    ),
  );
}

/** The credentials, as text, of more operations than any others; undefined if no operation needs any. */
function mostFrequentSecurity(paths: NonNullable<Document['paths']>): string | undefined {
  const counts = new Map<string, number>();
  for (const methods of Object.values(paths)) {
    for (const { security } of Object.values(methods)) {
      const text = JSON.stringify(security);
      if (text !== undefined && text !== '[]') counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  return [...counts].toSorted(([, left], [, right]) => right - left)[0]?.[0];
}

/** An operation without its credentials where the document states the same. @param stated those of the document, as text */
function withoutSecurity(operation: Operation, stated: string | undefined): Operation {
  if (stated === undefined) return operation;
  const { security = [], ...rest } = operation;
  return JSON.stringify(security) === stated ? rest : { ...rest, security };
}

const errorResponse = {
  description: 'An error',
  content: { 'application/json': { schema: { $ref: `${schemaPrefix}ErrorBody` } } },
};
const errorContent = JSON.stringify(errorResponse.content['application/json']);

/** Whether a response has an error body. It is sent as JSON, whichever media types the route's other answers have. */
function isError(response: unknown): boolean {
  const contents = Object.values((response as { content?: object }).content ?? {});
  return contents.length > 0 && contents.every((content) => JSON.stringify(content) === errorContent);
}

/** An operation that refers to repeated parameters and error responses. @param nameOf the names of repeated parameters by their text */
function referring({ parameters, responses = {}, ...operation }: Operation, nameOf: ReadonlyMap<string, string>): Operation {
  const parameterOf = (parameter: unknown) => {
    const name = nameOf.get(JSON.stringify(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  };
  const responseOf = (response: unknown) => (isError(response) ? { $ref: '#/components/responses/Error' } : response);
  return {
    ...operation,
    ...(parameters ? { parameters: parameters.map(parameterOf) } : {}),
    responses: mapValues(responses, responseOf),
  };
}

function mapValues<From, To>(values: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, to(value)]));
}
