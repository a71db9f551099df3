SELECT trace_id, span_id, input, output
FROM spans FINAL
PREWHERE (trace_id, span_id) IN arrayZip({traces:Array(String)}, {spans:Array(String)})
