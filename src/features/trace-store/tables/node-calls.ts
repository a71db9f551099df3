import { Table } from '../../../platform/tables/index.ts';

/** A call of a node of the dependency graph (docs/semantics.md, "Dependency graph"): a span, or, of a service, a trace. */
export interface NodeCall {
  /** Start of its hour, epoch seconds. */
  hour: number;
  /** The span's id; for a trace of a service `/` and the service, which is no span's id. */
  callId: string;
  startNs: bigint;
  environment: string;
  /** `<type>:<name>`. */
  node: string;
  /** The node of the nearest ancestor that is one, else the service; `''` without one. It may be the node itself. */
  caller: string;
  /** Of a call of a model; else `''`. */
  provider: string;
  promptName: string;
  agentName: string;
  error: boolean;
  /** Milliseconds; null while it runs. */
  durationMs: number | null;
  /** USD of a call of a model, or of the calls of a service's trace; else 0. */
  cost: number;
  /** Calls behind the row whose cost is not known, or known in part. */
  unpriced: number;
  partlyPriced: number;
}

interface NodeCallRow {
  traceId: string;
  call: NodeCall;
}

const blank: NodeCallRow = {
  traceId: '',
  call: {
    hour: 0,
    callId: '',
    startNs: 0n,
    environment: '',
    node: '',
    caller: '',
    provider: '',
    promptName: '',
    agentName: '',
    error: false,
    durationMs: null,
    cost: 0,
    unpriced: 0,
    partlyPriced: 0,
  },
};

/** The key of a row of `node_calls`; `hour` is the start of its hour, epoch seconds. */
export type NodeCallKey = Pick<NodeCallRow, 'traceId'> & Pick<NodeCall, 'hour' | 'callId'>;

/** Table `node_calls`: a row is one call of a node of the dependency graph. Derived. */
export const nodeCalls = new Table({
  name: 'node_calls',
  timeColumn: 'start_time',
  layoutVersion: 2,
  blank,
  tombstone: {
    columns: ['project_id', 'hour', 'trace_id', 'call_id', 'version', 'is_deleted', 'start_time'],
    row: ({ traceId, hour, callId }: NodeCallKey): NodeCallRow => ({
      traceId,
      call: { ...blank.call, hour, callId, startNs: BigInt(hour) * 1_000_000_000n },
    }),
  },
  columns: (to, stamp, { traceId, call }) => {
    to.uuid('project_id', stamp.projectId);
    to.uint32('hour', call.hour);
    to.string('trace_id', traceId);
    to.string('call_id', call.callId);
    to.uint64('version', stamp.version);
    to.boolean('is_deleted', stamp.deleted);
    to.nanoseconds('start_time', call.startNs);
    to.string('environment', call.environment);
    to.string('node', call.node);
    to.string('caller', call.caller);
    to.string('provider', call.provider);
    to.string('prompt_name', call.promptName);
    to.string('agent_name', call.agentName);
    to.boolean('error', call.error);
    to.boolean('finished', call.durationMs !== null);
    to.float64('duration_ms', call.durationMs ?? 0);
    to.float64('cost', call.cost);
    to.since(2).uint32('unpriced', call.unpriced);
    to.since(2).uint32('partly_priced', call.partlyPriced);
  },
});
