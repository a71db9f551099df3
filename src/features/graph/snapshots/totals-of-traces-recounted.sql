SELECT uniqExactIf(sipHash64(session_id), session_id != '' AND bitAnd(sipHash64(session_id), {sessionMask:UInt64}) = 0) AS sessions,
  uniqExactIf(sipHash64(user_id), user_id != '' AND bitAnd(sipHash64(user_id), {userMask:UInt64}) = 0) AS users
FROM traces FINAL
WHERE start_time >= fromUnixTimestamp64Milli({fromMs:Int64}) AND start_time < fromUnixTimestamp64Milli({beforeMs:Int64}) AND has(nodes, {node:String})
