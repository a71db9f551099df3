/** Functions that a tenant's query may call. Their results depend on the arguments alone: none reads a table, a dictionary, a file or a server. */
export const tenantFunctions: ReadonlySet<string> = new Set(
  `abs assumeNotNull ceil exp10 floor greatest intDiv least log10 pow round sqrt
   any anyIf anyLast argMax argMaxIf argMin argMinIf avg avgIf count countIf grouping max maxIf min minIf sum sumIf sumKahan sumKahanIf sumMap sumMapIf
   groupArray groupArrayArray groupArrayIf groupUniqArray groupUniqArrayArray groupUniqArrayIf quantileDDMerge quantileDDState quantileExact quantilesExactWeighted
   uniqCombined64Array uniqCombined64If uniqExact uniqExactArray uniqExactIf varSampStable varSampStableIf
   dense_rank rank row_number
   arrayConcat arrayCount arrayCumSum arrayDistinct arrayElement arrayExists arrayFilter arrayFirst arrayFirstIndex arrayFlatten arrayJoin arrayMap
   arrayMax arrayMin arrayReverse arraySlice arraySort arrayStringConcat arraySum arrayZip empty has hasAll hasAny length notEmpty range tuple tupleElement
   bitAnd bitNot bitOr bitShiftLeft bitShiftRight bitXor cityHash64 sipHash64
   CAST reinterpretAsFloat64 reinterpretAsInt64 reinterpretAsUInt64 toFloat64 toFloat64OrNull toInt64 toLowCardinality toNullable toString toUInt16 toUInt32 toUInt64 toUInt8 toUUID
   fromUnixTimestamp64Milli fromUnixTimestamp64Nano dateDiff formatDateTime toDate toDateTime toDateTime64 toDayOfWeek toHour toStartOfDay toStartOfHour toStartOfMonth toUnixTimestamp
   toUnixTimestamp64Micro toUnixTimestamp64Milli toUnixTimestamp64Nano toYYYYMM
   coalesce if ifNull isNaN isNotNull isNull multiIf nullIf transform
   byteSize caseFoldUTF8 char concat endsWith hasAllTokens isValidASCII left leftUTF8 lengthUTF8 lower lowerUTF8 match position positionCaseInsensitiveUTF8 replaceAll replaceRegexpAll startsWith substring substringUTF8 trim upper
   JSONExtractArrayRaw JSONExtractBool JSONExtractKeys JSONExtractRaw JSONExtractString JSONHas JSONLength JSONType isValidJSON toJSONString`.split(
    /\s+/,
  ),
);
