SELECT 1 AS found
FROM spans FINAL
PREWHERE trace_id = {trace:String}
LIMIT 1
