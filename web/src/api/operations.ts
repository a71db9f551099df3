import type { paths } from './service.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The paths that have a method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Lowercase<M>, unknown> ? Path : never;
}[keyof paths];

/** An operation of the OpenAPI document. */
type Operation<M extends Method, Path extends PathOf<M>> = paths[Path] extends Record<Lowercase<M>, infer One> ? One : never;

/** Fields that can be left out can be undefined too. */
type Loose<T> = { readonly [K in keyof T]: Record<never, never> extends Pick<T, K> ? Sent<T[K]> | undefined : Sent<T[K]> };

/** A value of a request, which is only read. */
type Sent<T> = T extends readonly (infer Item)[]
  ? ReadonlyArray<Sent<Item>>
  : T extends object
    ? { readonly [K in keyof T]: Sent<T[K]> }
    : T;

type PathParameters<O> = O extends { parameters: { path: infer Named } } ? Named : unknown;
type QueryParameters<O> = O extends { parameters: { query?: infer Query } } ? Loose<NonNullable<Query>> : unknown;

/** The parameters of an operation in its path and its query. */
export type ParametersOf<M extends Method, Path extends PathOf<M>> = PathParameters<Operation<M, Path>> &
  QueryParameters<Operation<M, Path>>;

/** The filters of a list: its query without its page. */
export type FiltersOf<Path extends PathOf<'GET'>> = Omit<
  Partial<QueryParameters<Operation<'GET', Path>>>,
  'limit' | 'cursor' | 'projectId'
>;

/** The JSON body of an operation. */
export type BodyOf<M extends Method, Path extends PathOf<M>> =
  Operation<M, Path> extends { requestBody?: { content: { 'application/json': infer Body } } } ? Sent<Body> : undefined;

type Content<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : undefined;

/** The body of a successful response; undefined for one without. */
export type AnswerOf<M extends Method, Path extends PathOf<M>> =
  Operation<M, Path> extends { responses: infer Responses } ? Content<Responses[keyof Responses]> : never;

/** Values of parameters; what is undefined is left out, and a list is repeated. */
type Values = Readonly<Record<string, unknown>>;

/**
 * The URL of an operation. Parameters that its path does not name are in the query.
 *
 * @throws {Error} for a parameter of the path without a value
 */
export function urlTo(path: keyof paths, parameters: unknown = {}): string {
  const values = parameters as Values;
  const inPath = new Set<string>();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    const value = values[name];
    if (typeof value !== 'string') throw new Error(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && !inPath.has(name)) for (const one of [value].flat()) query.append(name, String(one));
  }
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}
