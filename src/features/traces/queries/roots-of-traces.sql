SELECT trace_id, argMin(span_id, (span_id = '', parent_span_id != '' AND (trace_id, parent_span_id) GLOBAL IN (
    SELECT trace_id, span_id FROM spans FINAL PREWHERE trace_id IN {traces:Array(String)} WHERE span_id != ''
  ), start_time, span_id)) AS root
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}
GROUP BY trace_id
