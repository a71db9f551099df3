SELECT * FROM (
  SELECT trace_id, evaluator, score, passed, comment
  FROM scores FINAL
  WHERE trace_id IN {traces:Array(String)} AND span_id = '' AND NOT isNaN(score)
  ORDER BY start_time DESC, score_id DESC
  LIMIT 1 BY trace_id, evaluator
)
ORDER BY trace_id, evaluator
LIMIT 100 BY trace_id
