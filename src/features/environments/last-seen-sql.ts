// The texts do not contain the tenant filter: the engine adds it to every table.

/** Names without a record in one answer. */
export const maxUnregistered = 50;
/** Names of spans among which those without a record are looked for: bounds memory when clients send a new name with every span. */
const maxNames = 10_000;
/** Rows of a name with the same start that are looked up. */
const maxCandidates = 20;

const newest = 'environment AS name, toString(toUnixTimestamp64Nano(max(start_time))) AS newest_ns';
const since = 'start_time >= fromUnixTimestamp64Milli({fromMs:Int64})';

/** The newest stored row of each name, which may have been replaced or deleted. A trace's own record is no span. */
export const newestSql = `SELECT ${newest}
FROM spans
WHERE span_id != '' AND environment IN {names:Array(String)}
GROUP BY environment`;

/** The newest stored row of each other name that has one since a time; the names with the newest rows. */
export const unregisteredSql = `SELECT ${newest}
FROM spans
WHERE span_id != '' AND ${since}
  AND environment GLOBAL IN (
    SELECT DISTINCT environment FROM spans
    WHERE environment != '' AND environment NOT IN {names:Array(String)} AND ${since}
    LIMIT ${maxNames}
  )
GROUP BY environment
ORDER BY max(start_time) DESC, name
LIMIT ${maxUnregistered}`;

/** The newest guardrail check of each other name that has one since a time. A name may be misspelled in checks alone. */
export const checkedSql = `SELECT environment AS name, toString(toUnixTimestamp64Nano(toDateTime64(max(start_time), 9))) AS newest_ns
FROM guardrail_activity FINAL
WHERE environment != '' AND environment NOT IN {names:Array(String)} AND ${since}
GROUP BY environment
ORDER BY max(start_time) DESC, name
LIMIT ${maxUnregistered}`;

/** Keys of rows that have been stored with these names and start times; the index of start times finds them. */
export const keysSql = `SELECT trace_id, span_id
FROM spans
WHERE span_id != '' AND environment IN {names:Array(String)}
  AND start_time GLOBAL IN (SELECT fromUnixTimestamp64Nano(toInt64(arrayJoin({times:Array(String)}))))
LIMIT ${maxCandidates} BY environment`;

/** The newest span of each name, among those with these keys. */
export const ofKeysSql = `SELECT ${newest}
FROM spans FINAL
PREWHERE trace_id IN {traces:Array(String)}
WHERE span_id IN {spans:Array(String)}
GROUP BY environment`;

/** The newest span of each name since a time. */
export const finalSql = `SELECT ${newest}
FROM spans FINAL
WHERE span_id != '' AND environment IN {names:Array(String)} AND ${since}
GROUP BY environment`;
