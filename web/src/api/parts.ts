import type { FiltersOf } from './operations.ts';
import type {
  AlertRule,
  BatchItem,
  Change,
  Comparison,
  Distributions,
  Evaluation,
  Evaluator,
  EvidencePack,
  FacetList,
  Finding,
  GateResult,
  GraphNode,
  Guardrail,
  GuardrailResult,
  Impact,
  Incident,
  JobPage,
  ModelList,
  PackVerification,
  PromptVersion,
  RunDetail,
  SessionDetail,
  SessionPage,
  SpanPage,
  SpanMapping,
  TraceOutline,
  TracePage,
  TraceSpan,
  Tried,
  ViewPage,
} from './service.ts';

// Parts of the schemas of service.ts, and the filters of lists.
export type { AuditKind } from '../../../src/contract/audit.ts';
export type { RangeName } from '../../../src/contract/common.ts';
export type { ErrorDetail } from '../../../src/contract/errors.ts';
export type { EvaluatorTypeDoc } from '../../../src/contract/evaluators.ts';
export type { Permission, Role } from '../../../src/contract/permissions.ts';

export type AlertType = AlertRule['type'];
export type AlertWindow = NonNullable<AlertRule['window']>;
export type BatchItemChange = NonNullable<FiltersOf<'/v1/projects/{id}/simulations/batch-runs/{batchRunId}/items'>['change']>;
export type BatchItemStatus = BatchItem['status'];
export type ChangeKind = Change['kind'];
export type CheckAction = GuardrailResult['action'];
export type ComparedItem = Comparison['items'][number];
export type ComparedSide = NonNullable<ComparedItem['a']>;
export type ControlStatus = EvidencePack['controls'][number]['status'];
export type DatasetRunItem = RunDetail['items'][number];
export type Distribution = Distributions['latencyMs'];
export type EvaluationStatus = Evaluation['status'];
export type EvaluationTargetType = Evaluation['target']['type'];
export type EvaluatorDelta = Comparison['byEvaluator'][number];
export type EvaluatorTarget = Evaluator['target'];
export type EvaluatorTypeName = Evaluator['type'];
export type Facet = FacetList['facets'][number];
export type FieldSource = SpanMapping['fields'][number]['attributes'][number];
export type GateCheck = GateResult['checks'][number];
export type GuardrailAction = Guardrail['action'];
export type GuardrailStage = Guardrail['stage'];
export type GuardrailTypeName = Guardrail['type'];
export type ImpactCheck = Impact['checks'][number];
export type IncidentStatus = Incident['status'];
export type Job = JobPage['jobs'][number];
export type LifecycleBand = Finding['band'];
export type ListedModel = ModelList['models'][number];
export type ListedSpan = SpanPage['spans'][number];
export type ListedTrace = TracePage['traces'][number];
export type NodeType = GraphNode['type'];
export type PackCheck = PackVerification['checks'][number];
export type PromptType = PromptVersion['type'];
export type Session = SessionPage['sessions'][number];
export type ShownText = NonNullable<Tried['output']>;
export type SavedView = ViewPage['views'][number];
export type SpanKind = TraceSpan['kind'];
export type TraceSummary = SessionDetail['traces'][number];

/** A span of an outline: without payloads. */
export type OutlineSpan = TraceSpan & { inputPreview: string | null; outputPreview: string | null };
/** A trace without the payloads of its spans and its own. */
export type WholeOutline = Omit<TraceOutline, 'spans'> & { spans: OutlineSpan[] };

export type AuditQuery = FiltersOf<'/v1/organizations/{orgId}/audit-log'>;
export type ListUsersQuery = FiltersOf<'/v1/projects/{id}/users'>;
export type UserSort = NonNullable<ListUsersQuery['sort']>;
export type EvaluationsQuery = FiltersOf<'/v1/projects/{id}/evaluations'>;
export type FacetsQuery = FiltersOf<'/v1/projects/{id}/facets'>;
export type GraphQuery = FiltersOf<'/v1/projects/{id}/graph'>;
export type ImpactQuery = FiltersOf<'/v1/projects/{id}/changes/{changeId}/impact'>;
export type IncidentsQuery = FiltersOf<'/v1/projects/{id}/incidents'>;
export type ListChangesQuery = FiltersOf<'/v1/projects/{id}/changes'>;
export type ListSessionsQuery = FiltersOf<'/v1/projects/{id}/sessions'>;
export type ListSpansQuery = FiltersOf<'/v1/projects/{id}/spans'>;
export type ListTracesQuery = FiltersOf<'/v1/projects/{id}/traces'>;
export type SpanCountsQuery = FiltersOf<'/v1/projects/{id}/span-counts'>;
export type TimelineQuery = FiltersOf<'/v1/projects/{id}/models/{model}'>;
export type TraceCountsQuery = FiltersOf<'/v1/projects/{id}/trace-counts'>;
export type TraceSort = NonNullable<ListTracesQuery['sort']>;
