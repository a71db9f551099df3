SELECT span_id, if(input = '', '', concat(toString(length(input)), ' ', toString(sipHash64(input)), toString(cityHash64(input)))) AS input_digest, if(output = '', '', concat(toString(length(output)), ' ', toString(sipHash64(output)), toString(cityHash64(output)))) AS output_digest
FROM spans FINAL
PREWHERE trace_id = {trace:String} AND span_id IN {spans:Array(String)}
