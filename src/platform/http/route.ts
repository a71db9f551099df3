import type { FastifyContextConfig, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { errorBody } from '../../contract/common.ts';
import type { Access } from './access.ts';
import type { Server } from './server-type.ts';

/** Of the configuration, what a route gives under the same name; `parameters` is set when the route is added. */
type Config = Omit<FastifyContextConfig, 'access' | 'body' | 'parameters'>;

/** A route as a feature declares it. The errors that every route of its kind has are added in the OpenAPI document (`openapi.ts`). */
interface Route<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Answer extends Answers>
  extends Config, Pick<RouteOptions, 'onRequest' | 'preValidation' | 'errorHandler'> {
  access: Access;
  /** Limits of its body; see `platform/budgets/bodies.ts`. */
  limits?: FastifyContextConfig['body'];
  tags: readonly string[];
  summary: string;
  description?: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** Media types of the body, and of the answer; JSON by default. */
  consumes?: readonly string[];
  produces?: readonly string[];
  /** The schema of the answer 200; with another status, the pair of both; 204 for none. */
  answer: Answer;
  /** Further statuses with an error, such as 409. */
  errors?: readonly number[];
  /** Further answers, which the handler sends itself, such as 304, or an error with fields of its own. */
  also?: Readonly<Record<number, z.ZodType>>;
  /** Resolves with the body of the answer, or with the reply when it has sent one itself. */
  handle: (
    request: Handled<Params, Query, Body>,
    reply: FastifyReply,
  ) => Answered<Answer> | FastifyReply | Promise<Answered<Answer> | FastifyReply>;
}

type Answers = z.ZodType | readonly [number, z.ZodType] | 204;

/** What the handler resolves with. */
type Answered<Answer extends Answers> = Answer extends z.ZodType
  ? z.input<Answer>
  : Answer extends readonly [number, infer Schema extends z.ZodType]
    ? z.input<Schema>
    : void;

type Handled<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType> = FastifyRequest<{
  Params: z.output<Params>;
  Querystring: z.output<Query>;
  Body: z.output<Body>;
}>;

/**
 * Adds a route to the server.
 *
 * @param spec what the route takes, answers and needs; it is also the route's entry in the OpenAPI document
 */
export function route<
  Answer extends Answers,
  Params extends z.ZodType = z.ZodUnknown,
  Query extends z.ZodType = z.ZodUnknown,
  Body extends z.ZodType = z.ZodUnknown,
>(
  app: Server,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  spec: Route<Params, Query, Body, Answer>,
): void {
  const { access, limits, answer, errors = [], also, handle, ...rest } = spec;
  const { tags, summary, description, params, query, body, consumes, produces, ...others } = rest;
  const { onRequest, preValidation, errorHandler, ...config } = others;
  const [status, schema] = answer === 204 ? [204, z.null()] : answer instanceof z.ZodType ? [200, answer] : answer;
  app.route({
    method,
    url: path,
    config: defined({ access, body: limits, ...config }),
    schema: {
      tags: [...tags],
      summary,
      ...defined({ description, params, querystring: query, body, consumes, produces }),
      response: { [status]: schema, ...Object.fromEntries(errors.map((error) => [error, errorBody])), ...also },
    },
    ...defined({ onRequest, preValidation, errorHandler }),
    handler: async (request, reply) => {
      if (status !== 200) reply.code(status);
      const answered = await handle(request as Handled<Params, Query, Body>, reply as FastifyReply);
      return status === 204 && answered === undefined ? null : answered;
    },
  });
}

/** The members that are not undefined. */
function defined<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
