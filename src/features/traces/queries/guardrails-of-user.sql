SELECT slug, count() AS triggered
FROM (
  SELECT arrayJoin(arrayDistinct(if(kind = 'guardrail', arrayMap(x -> JSONExtractString(x, 'guardrail'),
    arrayFilter(x -> JSONExtractBool(x, 'triggered'), JSONExtractArrayRaw(output, 'results'))), []))) AS slug FROM spans FINAL
  PREWHERE trace_id GLOBAL IN (
    SELECT trace_id FROM traces FINAL
    WHERE start_time >= fromUnixTimestamp64Nano({from:Int64}) AND start_time < fromUnixTimestamp64Nano({before:Int64})
      AND user_id IN {users:Array(String)}
      AND is_setup = 0
      AND NOT (origin IN ('simulation', 'playground', 'evaluation') OR (origin = '' AND environment = 'simulation' AND has(agents, 'simulation') AND has(tags, 'simulation')))
  )
  WHERE span_id != '' AND kind = 'guardrail'
)
WHERE slug != ''
GROUP BY slug
ORDER BY triggered DESC, slug
LIMIT 1000

-- {"from":"1","before":"2","users":["ada"]}
