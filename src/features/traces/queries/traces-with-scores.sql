SELECT count() AS traces FROM (
  SELECT DISTINCT trace_id FROM scores
  WHERE evaluator = {evaluator:String}
    AND score >= {minScore:Float64}
    AND score <= {maxScore:Float64}
    AND passed = {passed:UInt8}
  LIMIT 10001
)

-- {"evaluator":"evaluator","minScore":0.25,"maxScore":0.5,"passed":0}
