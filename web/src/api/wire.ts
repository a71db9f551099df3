import type { z } from 'zod';
import type * as alerts from '../../../src/contract/alerts.ts';
import type * as datasets from '../../../src/contract/datasets.ts';
import type * as audit from '../../../src/contract/audit.ts';
import type * as changes from '../../../src/contract/changes.ts';
import type * as environments from '../../../src/contract/environments.ts';
import type * as evaluations from '../../../src/contract/evaluations.ts';
import type * as guardrails from '../../../src/contract/guardrails.ts';
import type * as identity from '../../../src/contract/identity.ts';
import type * as incidents from '../../../src/contract/incidents.ts';
import type * as ingest from '../../../src/contract/ingest.ts';
import type * as connections from '../../../src/contract/model-connections.ts';
import type * as lifecycle from '../../../src/contract/model-lifecycle.ts';
import type * as models from '../../../src/contract/models.ts';
import type * as prices from '../../../src/contract/prices.ts';
import type * as prompts from '../../../src/contract/prompts.ts';
import type * as simulations from '../../../src/contract/simulations.ts';
import type * as simulationTry from '../../../src/contract/simulation-try.ts';
import type * as simulationGate from '../../../src/contract/simulation-gate.ts';
import type * as traces from '../../../src/contract/traces.ts';

// Request and response types of the service. Types only: nothing of the contract is bundled.
export type { RangeName } from '../../../src/contract/common.ts';
export type { ErrorDetail } from '../../../src/contract/errors.ts';
export type { AlertPage, AlertPreview, AlertRule, AlertType, AlertWindow } from '../../../src/contract/alerts.ts';
export type { Incident, IncidentPage, IncidentStatus } from '../../../src/contract/incidents.ts';
export type { Delivery, DeliveryPage } from '../../../src/contract/notifications.ts';
export type { FixProposal, FixProposalBody, FixProposalPage, StartedFixProposal } from '../../../src/contract/fix-proposals.ts';
export type { AuditEntry, AuditKind, AuditVerification } from '../../../src/contract/audit.ts';
export type {
  AffectedNode,
  BlastRadius,
  Graph,
  GraphEdge,
  GraphNode,
  GraphQuery,
  NodeType,
} from '../../../src/contract/graph.ts';
export type { ChangeKind, ChangeRecord, Impact, ImpactCheck } from '../../../src/contract/changes.ts';
export type {
  EvaluationRecord,
  EvaluationStatus,
  EvaluationTargetType,
  EvaluatorRecord,
} from '../../../src/contract/evaluations.ts';
export type { EvaluatorTarget, EvaluatorTypeDoc, EvaluatorTypeName } from '../../../src/contract/evaluators.ts';
export type { EnvironmentAttachments, EnvironmentPage, EnvironmentRecord, Manager } from '../../../src/contract/environments.ts';
export type {
  ControlStatus,
  Evidence,
  EvidencePack,
  ListedPack,
  PackCheck,
  PackControl,
  PackPage,
  PackVerification,
} from '../../../src/contract/evidence-packs.ts';
export type { GuardrailActivity, GuardrailRecord, GuardrailTypeName } from '../../../src/contract/guardrails.ts';
export type { ModelConnectionRecord } from '../../../src/contract/model-connections.ts';
export type {
  Finding,
  FindingList,
  LifecycleBand,
  LifecycleCatalogue,
  ListedEntry,
} from '../../../src/contract/model-lifecycle.ts';
export type { Outcome, OutcomeKinds, OutcomeSummary } from '../../../src/contract/outcomes.ts';
export type { SpanKind } from '../../../src/contract/kinds.ts';
export type {
  FrontierPoint,
  ModelDetail,
  ModelList,
  ModelSummary,
  Overview,
  QualityBlock,
  TimelinePoint,
  TimelineQuery,
} from '../../../src/contract/models.ts';
export type { FieldSource, MappingPreview, SpanMapping } from '../../../src/contract/span-mapping.ts';
export type { Permission, Role } from '../../../src/contract/permissions.ts';
export type { Plan, RetentionDays } from '../../../src/contract/plans.ts';
export type { OwnPriceRecord, PricePage, Repricing, StartedRepricing } from '../../../src/contract/prices.ts';
export type { ListedPrompt, PromptMetrics, PromptType, PromptVersion } from '../../../src/contract/prompts.ts';
export type {
  ListedTrace,
  Score,
  Session,
  TraceCounts,
  TraceSort,
  TraceSpan,
  TraceSummary,
} from '../../../src/contract/traces.ts';

/** A rule as it is sent. */
export type AlertFields = z.input<typeof alerts.alertBody>;
export type AlertChange = z.input<typeof alerts.alertChange>;
export type IncidentsQuery = Partial<Omit<z.input<typeof incidents.listIncidentsQuery>, 'limit' | 'cursor'>>;
export type IncidentChange = z.input<typeof incidents.incidentChange>;
export type CurrentSession = z.output<typeof identity.currentSession>;
export type Member = z.output<typeof identity.member>;
export type MemberPage = z.output<typeof identity.memberPage>;
export type MemberCreated = z.output<typeof identity.memberCreated>;
export type ApiKey = z.output<typeof identity.apiKey>;
export type ApiKeyPage = z.output<typeof identity.apiKeyPage>;
export type ApiKeyCreated = z.output<typeof identity.apiKeyCreated>;
export type RotatedKey = z.output<typeof identity.rotated>;
export type Token = z.output<typeof identity.token>;
export type TokenPage = z.output<typeof identity.tokenPage>;
export type TokenCreated = z.output<typeof identity.tokenCreated>;
export type Project = z.output<typeof identity.project>;
export type IngestHealth = z.output<typeof ingest.ingestHealth>;
export type IngestClient = IngestHealth['clients'][number];
export type ListedModel = z.output<typeof models.modelList>['models'][number];
export type PriceFields = z.input<typeof prices.priceBody>;
export type RepriceFields = z.input<typeof prices.repriceBody>;
export type PromptPage = z.output<typeof prompts.promptPage>;
export type PromptVersionPage = z.output<typeof prompts.versionPage>;
export type PromptFolders = z.output<typeof prompts.folderList>;
/** A new version, as it is sent. */
export type PromptBody = z.input<typeof prompts.promptBody>;
export type TracePage = z.output<typeof traces.tracePage>;
export type TraceDetail = z.output<typeof traces.traceDetail>;
/** A span of an outline: without payloads. */
export type OutlineSpan = traces.TraceSpan & { inputPreview: string | null; outputPreview: string | null };
/** A trace without the payloads of its spans and its own. */
export type TraceOutline = Omit<z.output<typeof traces.traceOutline>, 'spans'> & { spans: OutlineSpan[] };
export type SentOutline = z.output<typeof traces.traceOutline>;
export type SpanList = z.output<typeof traces.spanList>;
export type TracePayloads = z.output<typeof traces.tracePayloads>;
export type SessionPage = z.output<typeof traces.sessionPage>;
export type SessionDetail = z.output<typeof traces.sessionDetail>;
export type AuditPage = z.output<typeof audit.auditPage>;
/** Query parameters of the audit log. */
export type AuditQuery = Partial<Omit<z.input<typeof audit.auditLogQuery>, 'limit' | 'cursor'>>;
export type EvaluatorPage = z.output<typeof evaluations.evaluatorPage>;
/** An evaluator as it is sent, to be made or changed. */
export type EvaluatorFields = z.input<typeof evaluations.evaluatorBody>;
export type EnvironmentFields = z.input<typeof environments.environmentBody>;
export type GuardrailPage = z.output<typeof guardrails.guardrailPage>;
export type GuardrailFields = z.input<typeof guardrails.guardrailBody>;
export type GuardrailChange = z.input<typeof guardrails.guardrailChange>;
export type GuardrailResult = z.output<typeof guardrails.guardrailResult>;
export type CheckAction = GuardrailResult['action'];
export type GuardrailStage = guardrails.GuardrailRecord['stage'];
export type GuardrailAction = guardrails.GuardrailRecord['action'];
export type EvaluationPage = z.output<typeof evaluations.evaluationPage>;
export type EvaluationsQuery = Partial<Omit<z.input<typeof evaluations.listEvaluationsQuery>, 'limit' | 'cursor'>>;
export type ModelConnectionFields = z.input<typeof connections.modelConnectionBody>;
export type ModelConnectionChange = z.input<typeof connections.modelConnectionChange>;
export type ModelConnectionPage = z.output<typeof connections.modelConnectionPage>;
/** A score as it is sent. */
export type ScoreFields = z.input<typeof ingest.scoreBody>;
/** Query parameters of the list of traces. */
export type ListTracesQuery = Partial<z.input<typeof traces.listTracesQuery>>;
export type ListSessionsQuery = Partial<z.input<typeof traces.listSessionsQuery>>;
export type { Dataset, RunAggregates, RunScore } from '../../../src/contract/datasets.ts';
export type DatasetPage = z.output<typeof datasets.datasetPage>;
export type DatasetItem = z.output<typeof datasets.datasetItem>;
export type DatasetItems = z.output<typeof datasets.datasetItems>;
export type DatasetRun = z.output<typeof datasets.run>;
export type DatasetRunPage = z.output<typeof datasets.runPage>;
export type DatasetRunDetail = z.output<typeof datasets.runDetail>;
export type DatasetRunItem = DatasetRunDetail['items'][number];
export type RunComparison = z.output<typeof datasets.comparison>;
export type ComparedItem = RunComparison['items'][number];
export type ComparedSide = NonNullable<ComparedItem['a']>;
export type EvaluatorDelta = RunComparison['byEvaluator'][number];
export type ChangePage = z.output<typeof changes.changePage>;
/** A change as it is reported. */
export type ChangeFields = z.input<typeof changes.changeBody>;
/** Query parameters of the list of changes. */
export type ListChangesQuery = Partial<Omit<z.input<typeof changes.listChangesQuery>, 'limit' | 'cursor'>>;
export type ImpactQuery = Partial<z.output<typeof changes.impactQuery>>;
export type LifecycleScan = z.output<typeof lifecycle.scanAnswer>;
/** A project's own retirement date, as it is sent. */
export type OverrideFields = z.input<typeof lifecycle.overrideBody>;
export type {
  BatchItem,
  BatchItemStatus,
  BatchRun,
  Distribution,
  Distributions,
  ItemChange,
  Scenario,
} from '../../../src/contract/simulations.ts';
export type { ShownText, Tried } from '../../../src/contract/simulation-try.ts';
/** An item to try, as it is sent. */
export type TryFields = z.input<typeof simulationTry.tryBody>;
export type { GateCheck, GatePending, GateResult } from '../../../src/contract/simulation-gate.ts';
export type ScenarioPage = z.output<typeof simulations.scenarioPage>;
/** A scenario as it is sent. */
export type ScenarioFields = z.input<typeof simulations.scenarioBody>;
export type ScenarioChange = z.input<typeof simulations.scenarioChange>;
export type BatchRunFields = z.input<typeof simulations.batchRunBody>;
export type BatchRunPage = z.output<typeof simulations.batchRunPage>;
export type BatchItemPage = z.output<typeof simulations.batchItemPage>;
export type GateFields = z.input<typeof simulationGate.gateBody>;
