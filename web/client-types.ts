import openapiTS, { astToString } from 'openapi-typescript';

type Operations = Record<string, { responses?: Record<string, unknown> }>;

const head = '// Generated from the OpenAPI document by `npm run build:client`.\n\n';

/**
 * The TypeScript types of an OpenAPI document, as `web/src/api/service.ts` holds them: `paths`, and a type of each named schema. Of the responses those that
 * succeed; an error is an `ApiError`.
 *
 * @param document as `GET /v1/openapi.json` returns it
 */
export async function clientTypes(document: { paths: Record<string, Operations> }): Promise<string> {
  const paths = mapValues(document.paths, (methods) =>
    mapValues(methods, ({ responses = {}, ...operation }) => ({
      ...operation,
      responses: Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2'))),
    })),
  );
  const types = await openapiTS({ ...document, paths } as never, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A field with a default can be left out of a request.
    defaultNonNullable: false,
  });
  return head + noise.reduce((text, pattern) => text.replaceAll(pattern, ''), astToString(types));
}

/** What says nothing about types: descriptions, absent methods and parameters, and parts that every response has. */
const noise = [
  // Descriptions: the document has them, and the types change less often without.
  /^ *\/\*\*(?:.|\n)*?\*\/\n/gm,
  /^ *(?:query|header|path|cookie|requestBody|get|put|post|delete|options|head|patch|trace)\?: never;\n/gm,
  /^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm,
  /^ *parameters: \{\n *\};\n/gm,
  /^export type (?:Parameter\w+|ResponseError|webhooks|\$defs) = .*\n/gm,
];

function mapValues<From, To>(values: Record<string, From>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, to(value)]));
}
