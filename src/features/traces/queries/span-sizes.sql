SELECT trace_id, span_id, length(input) AS input_bytes, length(output) AS output_bytes
FROM spans FINAL
PREWHERE (trace_id, span_id) IN arrayZip({traces:Array(String)}, {spans:Array(String)})
