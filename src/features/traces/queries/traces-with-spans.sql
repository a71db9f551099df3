SELECT count() AS traces FROM (
  SELECT DISTINCT trace_id FROM spans
  WHERE prompt_name = {promptName:String}
    AND prompt_version = {promptVersion:String}
  LIMIT 10001
)

-- {"promptName":"prompt","promptVersion":"3"}
