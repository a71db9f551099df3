SELECT count() AS hits FROM (
  SELECT 1 FROM span_texts
  WHERE if(isValidASCII(concat(name, '\n', error_code, '\n', error_message, '\n', input, '\n', output)), lower(concat(name, '\n', error_code, '\n', error_message, '\n', input, '\n', output)), caseFoldUTF8(concat(name, '\n', error_code, '\n', error_message, '\n', input, '\n', output))) LIKE {text1:String} AND (positionCaseInsensitiveUTF8(name, {text0:String}) > 0 OR positionCaseInsensitiveUTF8(error_message, {text0:String}) > 0 OR positionCaseInsensitiveUTF8(error_code, {text0:String}) > 0 OR positionCaseInsensitiveUTF8(input, {text0:String}) > 0 OR positionCaseInsensitiveUTF8(output, {text0:String}) > 0)
  LIMIT 200001
)

-- {"text0":"refund","text1":"%refund%"}
