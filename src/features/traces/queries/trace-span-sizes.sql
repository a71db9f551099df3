SELECT span_id, byteSize(name, error_message, tags, input, input, output, output, metadata, attributes, extra) AS bytes
FROM spans FINAL
PREWHERE trace_id = {trace:String} AND span_id IN {spans:Array(String)}
