import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { namedSchemas } from '../../contract/schemas.ts';

/** The metadata of named schemas; of others what `describe` and `meta` say. */
class Metadata extends WeakMap<z.core.$ZodType, z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType): z.core.GlobalMeta | undefined {
    return super.get(schema) ?? z.globalRegistry._map.get(schema);
  }
}

/** The named schemas. Not zod's global registry: other uses of `z.toJSONSchema`, such as MCP, describe each schema as a whole. */
const schemaRegistry = z.registry<z.core.GlobalMeta>();
schemaRegistry._map = new Metadata();
for (const [id, schema] of namedSchemas()) schemaRegistry.add(schema, { ...z.globalRegistry.get(schema), id });

/** Describes a route; named schemas are referred to. */
export const describeRoute = createJsonSchemaTransform({ schemaRegistry });

/** Adds every named schema to the document, as `Name` and, as it is sent, `NameInput`. */
export const addSchemas = createJsonSchemaTransformObject({ schemaRegistry });
