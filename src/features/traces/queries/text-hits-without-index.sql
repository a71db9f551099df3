SELECT trace_id, span_id, version, toString(reinterpretAsInt64(start_time)) AS value FROM span_texts
WHERE start_time >= fromUnixTimestamp64Nano({hitFrom:Int64}) AND start_time <= fromUnixTimestamp64Nano({hitTo:Int64})
  AND (positionCaseInsensitiveUTF8(name, {text0:String}) > 0 OR positionCaseInsensitiveUTF8(error_message, {text0:String}) > 0 OR positionCaseInsensitiveUTF8(error_code, {text0:String}) > 0 OR positionCaseInsensitiveUTF8(input, {text0:String}) > 0 OR positionCaseInsensitiveUTF8(output, {text0:String}) > 0)
ORDER BY start_time DESC
LIMIT 102

-- {"hitFrom":"1","hitTo":"1","text0":"refund"}
