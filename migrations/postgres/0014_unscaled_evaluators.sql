-- Evaluators whose scores were stored without a scale and do not count as they are: judges on another scale than 0 to 1, and evaluators of latency
-- and cost. The service gives their scores the scale below, and deletes a row some days later, when the logs of all replicas are written.
CREATE TABLE unscaled_evaluators (
    evaluator_id uuid PRIMARY KEY,
    project_id uuid NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    -- what the ids of its scores begin with: the time at which it was created
    score_id_prefix text NOT NULL,
    -- '' unless another evaluator of the project has the same prefix
    slug text NOT NULL,
    -- null: the scores are no measure of quality
    scale_min double precision,
    scale_max double precision,
    created_at timestamptz NOT NULL DEFAULT now()
);

WITH stamped AS (
    SELECT *, lpad(to_hex(floor(extract(epoch FROM created_at) * 1000)::bigint), 12, '0') AS stamp FROM evaluators
), prefixed AS (
    SELECT *, left(stamp, 8) || '-' || right(stamp, 4) AS prefix, count(*) OVER (PARTITION BY project_id, stamp) > 1 AS shared FROM stamped
)
INSERT INTO unscaled_evaluators (evaluator_id, project_id, score_id_prefix, slug, scale_min, scale_max)
SELECT id, project_id, prefix, CASE WHEN shared THEN slug ELSE '' END,
    CASE type WHEN 'llm_judge' THEN (config::jsonb #>> '{scale,0}')::double precision END,
    CASE type WHEN 'llm_judge' THEN (config::jsonb #>> '{scale,1}')::double precision END
FROM prefixed
WHERE type IN ('latency', 'cost') OR (type = 'llm_judge' AND config::jsonb -> 'scale' <> '[0, 1]');

-- Deleted judges: their scale is not known, so their scores do not count.
INSERT INTO unscaled_evaluators (evaluator_id, project_id, score_id_prefix, slug)
SELECT DISTINCT ON (evaluator_id) evaluator_id, project_id, left(score_id::text, 13), evaluator
FROM evaluations
WHERE lane = 'judge' AND status = 'completed' AND NOT EXISTS (SELECT FROM evaluators WHERE evaluators.id = evaluator_id)
ORDER BY evaluator_id, created_at DESC;
