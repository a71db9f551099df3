SELECT trace_id, span_id, found.1 AS place, found.2 AS value
FROM (
  SELECT trace_id, span_id, (span_id != '', parent_span_id != '', start_time) AS place_in_trace,
    arrayJoin(arrayConcat(arrayMap(v -> (0, leftUTF8(v, 200)), arrayMap(e -> if(JSONType(e) = 'String', JSONExtractString(e), e), arrayFilter(e -> JSONType(e) NOT IN ('Null', 'Object', 'Array'),
        if(JSONType(metadata, {column0key0:String}) = 'Array', JSONExtractArrayRaw(metadata, {column0key0:String}), [JSONExtractRaw(metadata, {column0key0:String})])))),
      arrayMap(v -> (1, leftUTF8(v, 200)), arrayMap(e -> if(JSONType(e) = 'String', JSONExtractString(e), e), arrayFilter(e -> JSONType(e) NOT IN ('Null', 'Object', 'Array'),
        if(JSONType(replaceAll(replaceAll(replaceAll(replaceAll(replaceRegexpAll(attributes, '[\x05\x06\x0E-\x10]', '{}'), char(1), input), char(2), toJSONString(input)), char(3), output), char(4), toJSONString(output)), {column1key0:String}) = 'Array', JSONExtractArrayRaw(replaceAll(replaceAll(replaceAll(replaceAll(replaceRegexpAll(attributes, '[\x05\x06\x0E-\x10]', '{}'), char(1), input), char(2), toJSONString(input)), char(3), output), char(4), toJSONString(output)), {column1key0:String}), [JSONExtractRaw(replaceAll(replaceAll(replaceAll(replaceAll(replaceRegexpAll(attributes, '[\x05\x06\x0E-\x10]', '{}'), char(1), input), char(2), toJSONString(input)), char(3), output), char(4), toJSONString(output)), {column1key0:String})])))))) AS found
  FROM spans FINAL
  PREWHERE trace_id IN {traces:Array(String)}
  WHERE (trace_id, span_id) IN (SELECT arrayJoin(arrayZip({ofTraces:Array(String)}, {spans:Array(String)})))
)
GROUP BY trace_id, span_id, place, value
ORDER BY trace_id, span_id, place, min(place_in_trace), value
LIMIT 5 BY trace_id, span_id, place

-- {"column0key0":"tenant","column1key0":"http.route"}
