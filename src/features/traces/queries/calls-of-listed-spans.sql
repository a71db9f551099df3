SELECT trace_id, span_id, agent_name
FROM calls FINAL
WHERE model != '' AND hour IN {hours:Array(DateTime)}
  AND (trace_id, span_id) IN (SELECT arrayJoin(arrayZip({ofTraces:Array(String)}, {spans:Array(String)})))
