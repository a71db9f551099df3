SELECT trace_id, span_id, length(input) + length(output) AS bytes
FROM spans FINAL
PREWHERE (trace_id, span_id) IN arrayZip({traces:Array(String)}, {spans:Array(String)})
