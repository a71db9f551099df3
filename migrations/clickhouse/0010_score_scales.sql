-- The scale that a score was given on, for figures over several evaluators: they use (score - scale_min) / (scale_max - scale_min). Scores of
-- applications and people count as they are, on the scale from 0 to 1. is_quality is 0 for scores of evaluators that do not measure quality.
-- Scores that evaluators gave before these columns get their values from PostgreSQL's unscaled_evaluators.
{{add_column('scores')}} scale_min Float64;
{{add_column('scores')}} scale_max Float64 DEFAULT 1;
{{add_column('scores')}} is_quality UInt8 DEFAULT 1;
{{add_column('quality')}} scale_min Float64;
{{add_column('quality')}} scale_max Float64 DEFAULT 1;
{{add_column('quality')}} is_quality UInt8 DEFAULT 1;
-- The sums of those figures. Hours whose scores all count as they are keep their seal.
{{add_column('quality_hours')}} quality_evals UInt64 DEFAULT evals;
{{add_column('quality_hours')}} quality_sum Float64 DEFAULT score_sum;
{{add_column('quality_hours')}} quality_passed UInt64 DEFAULT passed;
{{add_column('quality_hours')}} quality_failed UInt64 DEFAULT failed;
