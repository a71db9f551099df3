import { expect, it } from 'vitest';
import { withReferences } from './openapi-references.ts';
import type { Document } from './openapi-references.ts';

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ description: 'Default Response', content: { 'application/json': { schema } } });
const cursor = { in: 'query', name: 'cursor', schema: { type: 'string' } };

function documentOf(paths: NonNullable<Document['paths']>, schemas: Record<string, object>): Document {
  return { paths, components: { schemas } };
}

it('keeps the schemas that are used, and joins what is sent and returned alike', () => {
  const part = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  const document = documentOf(
    {
      '/a': {
        post: { responses: { 200: json(to('Rule')) } },
        put: { responses: { 200: json({ anyOf: [to('RuleInput'), to('BodyInput')] }) } },
      },
    },
    {
      Rule: { properties: { part: to('Part') } },
      RuleInput: { properties: { part: to('PartInput') } },
      Part: part,
      PartInput: part,
      Body: { type: 'object' },
      BodyInput: { type: 'object', required: ['a'] },
      Unused: {},
    },
  );
  const { paths, components } = withReferences(document);
  expect(components?.schemas).toEqual({
    Rule: { properties: { part: to('Part') } },
    Part: { type: 'integer' },
    Body: { type: 'object', required: ['a'] },
  });
  expect(paths?.['/a']?.['put']?.responses).toEqual({ 200: json({ anyOf: [to('Rule'), to('Body')] }) });
});

it('gives what is sent with other fields a name of its own', () => {
  const document = documentOf(
    { '/a': { post: { responses: { 200: json({ anyOf: [to('Rule'), to('RuleInput')] }) } } } },
    { Rule: { required: ['a'] }, RuleInput: { required: [] } },
  );
  expect(withReferences(document).components?.schemas).toEqual({ Rule: { required: ['a'] }, RuleInput: { required: [] } });
});

it('refers to each of the repeated parameters of one name, the most frequent by it', () => {
  const other = { ...cursor, schema: { type: 'integer' } };
  const paths = Object.fromEntries(
    [other, cursor, other, cursor, cursor].map((parameter, index) => [`/${index}`, { get: { parameters: [parameter] } }]),
  );
  const document = withReferences(documentOf(paths, {}));
  expect(document.components).toMatchObject({ parameters: { cursor, 'cursor.2': other } });
  const names = Object.values(document.paths ?? {}).map(({ get }) => get?.parameters);
  expect(names).toEqual(
    ['cursor.2', 'cursor', 'cursor.2', 'cursor', 'cursor'].map((name) => [{ $ref: `#/components/parameters/${name}` }]),
  );
});

it('refers to repeated parameters and to error responses', () => {
  const operation = () => ({ parameters: [cursor], responses: { 404: json(to('ErrorBody')), 409: json({ type: 'object' }) } });
  const other = { ...operation(), parameters: [{ ...cursor, schema: { type: 'integer' } }] };
  const { paths, components } = withReferences(
    documentOf({ '/a': { get: operation(), put: other }, '/b': { get: operation() } }, { ErrorBody: { type: 'object' } }),
  );
  const responses = { 404: { $ref: '#/components/responses/Error' }, 409: json({ type: 'object' }) };
  const shared = { parameters: [{ $ref: '#/components/parameters/cursor' }], responses };
  expect(paths).toEqual({ '/a': { get: shared, put: { parameters: other.parameters, responses } }, '/b': { get: shared } });
  expect(components).toMatchObject({ parameters: { cursor }, responses: { Error: { content: json(to('ErrorBody')).content } } });
});

it('refers to the error response where other answers of the operation have other media types', () => {
  const lines = { schema: to('ErrorBody') };
  const response = { description: 'Default Response', content: { 'application/json': lines, 'application/x-ndjson': lines } };
  const other = { ...response, content: { ...response.content, 'text/csv': { schema: { type: 'string' } } } };
  const { paths } = withReferences(
    documentOf({ '/a': { get: { responses: { 400: response, 409: other } } } }, { ErrorBody: { type: 'object' } }),
  );
  expect(paths?.['/a']?.['get']?.responses).toEqual({ 400: { $ref: '#/components/responses/Error' }, 409: other });
});

it('states once the credentials that most operations take', () => {
  const [both, key] = [[{ key: [] }, { session: [] }], [{ key: [] }]];
  const { security, paths } = withReferences(
    documentOf(
      {
        '/a': { get: { security: both }, put: { security: key } },
        '/b': { get: { security: both }, put: { security: [] }, post: {} },
        '/c': { get: { security: [] }, put: { security: [] } },
      },
      {},
    ),
  );
  expect(security).toEqual(both);
  const stated = Object.values(paths ?? {}).map((methods) =>
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, operation.security])),
  );
  expect(stated).toEqual([
    { get: undefined, put: key },
    { get: undefined, put: [], post: [] },
    { get: [], put: [] },
  ]);
});
