SELECT trace_id, span_id, agent_name, model != '' AS is_call
FROM calls FINAL
WHERE hour IN {hours:Array(DateTime)}
  AND (trace_id, span_id) IN (SELECT arrayJoin(arrayZip({ofTraces:Array(String)}, {spans:Array(String)})))
