import type { SqlPart } from '../../platform/clickhouse/index.ts';

/**
 * The traces of some environments.
 *
 * @param traces FROM and WHERE of summaries, with the column `environment`
 */
export function ofEnvironments(traces: SqlPart, environments: readonly string[]): SqlPart {
  return {
    text: `(SELECT * FROM ${traces.text}) WHERE environment IN {environments:Array(String)}`,
    parameters: { ...traces.parameters, environments },
  };
}
