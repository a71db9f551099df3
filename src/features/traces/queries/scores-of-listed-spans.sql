SELECT trace_id, span_id, evaluator, score, passed, label
FROM scores FINAL
PREWHERE trace_id IN {traces:Array(String)}
WHERE (trace_id, span_id) IN (SELECT arrayJoin(arrayZip({ofTraces:Array(String)}, {spans:Array(String)})))
ORDER BY start_time DESC, score_id DESC
LIMIT 1 BY trace_id, span_id, evaluator
