import { z } from 'zod';
import { pageQuery, rangeQuery, timestamp, uuid } from './common.ts';
import { scoreEvent } from './ingest.ts';

/** Who gave a score, as lists and summaries say it: an application, an evaluator of the service, or a person. */
export const scoreSources = ['application', 'evaluator', 'annotation'] as const;
export type ScoreSource = (typeof scoreSources)[number];

export const scoreSorts = ['-timestamp', 'timestamp', '-score', 'score'] as const;

const filter = (longest: number) => z.string().min(1).max(longest).optional();

export const listScoresQuery = pageQuery.extend({
  evaluator: filter(512).describe('scores of this evaluator'),
  source: z.enum(scoreSources).optional(),
  author: filter(512).describe('scores that this person or API key recorded, by id or name'),
  traceId: filter(128).describe('scores of this trace and of its spans'),
  sort: z.enum(scoreSorts).default('-timestamp').describe('by score: those without a number are the lowest'),
});
export type ListScoresQuery = z.output<typeof listScoresQuery>;

const text = z.string().nullable();

export const listedScore = z.object({
  scoreId: z.string(),
  traceId: text,
  spanId: text,
  sessionId: text,
  evaluator: z.string(),
  score: z.number().nullable().describe('null: it has a label alone'),
  value: text.describe('null'),
  passed: z.boolean().nullable(),
  label: text,
  comment: text,
  model: text,
  timestamp,
  source: z.enum(scoreSources),
  author: text.describe('the person or API key that recorded it'),
  metadata: z.unknown().meta({ type: 'object', additionalProperties: true }),
});
export type ListedScore = z.output<typeof listedScore>;
export const scorePage = z.object({ scores: z.array(listedScore), nextCursor: z.string().nullable() });

export const scoreParams = z.object({ id: uuid, scoreId: z.string() });

export const scoreChange = z
  .strictObject({
    score: scoreEvent.shape.score.describe('null: a label alone'),
    passed: scoreEvent.shape.passed.describe('left out with another score: by the threshold of the evaluator'),
    label: scoreEvent.shape.label,
    comment: scoreEvent.shape.comment,
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'must name what to change');
export type ScoreChange = z.output<typeof scoreChange>;

export const scoreGroupings = ['model', 'agent', 'promptVersion', 'release', 'author'] as const;
export type ScoreGrouping = (typeof scoreGroupings)[number];

export const scoreSummaryQuery = z.object({
  ...rangeQuery,
  evaluator: filter(512).describe('this evaluator alone'),
  by: z
    .enum(scoreGroupings)
    .optional()
    .describe('groups: of a scored span by its call, of a scored trace by what all its calls have in common'),
});
export type ScoreSummaryQuery = z.output<typeof scoreSummaryQuery>;

const figures = {
  count: z.number().int().describe('all scores, those without a number too'),
  avg: z.number().nullable().describe('over scores with a number'),
  passRate: z.number().nullable().describe('0..1; null where no score says whether it passed'),
};

export const evaluatorSummary = z.object({
  evaluator: z.string(),
  type: z.enum(['number', 'category']).describe('category: labels alone'),
  ...figures,
  low: z.number().nullable().describe('95 % interval of avg (normal); null under 2 numbers'),
  high: z.number().nullable(),
  distribution: z
    .array(
      z.union([
        z.object({ from: z.number(), to: z.number(), count: z.number().int() }),
        z.object({ value: z.string(), count: z.number().int() }),
      ]),
    )
    .describe(
      'of numbers: 10 equal parts from the lowest to the highest, one where they are equal; of labels: the 50 most frequent',
    ),
  timeline: z.array(z.object({ day: z.string(), ...figures })).describe('UTC days with scores, oldest first'),
  by: z
    .array(z.object({ value: z.string().nullable(), ...figures }))
    .describe('most scores first, at most 100; null: none; empty without by'),
});
export const scoreSummary = z.object({
  evaluators: z.array(evaluatorSummary).describe('by evaluator'),
  truncated: z.boolean().describe('whether there are more than 100 evaluators'),
});
export type ScoreSummary = z.output<typeof scoreSummary>;
