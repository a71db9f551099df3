// Generated from the OpenAPI document by `npm run build:client`.

export interface paths {
    "/healthz": {
        get: operations["getHealthz"];
    };
    "/readyz": {
        get: operations["getReadyz"];
    };
    "/v1/auth/login": {
        post: operations["postV1AuthLogin"];
    };
    "/v1/auth/logout": {
        post: operations["postV1AuthLogout"];
    };
    "/v1/auth/session": {
        get: operations["getV1AuthSession"];
    };
    "/v1/me/password": {
        post: operations["postV1MePassword"];
    };
    "/v1/me/tokens": {
        get: operations["getV1MeTokens"];
        post: operations["postV1MeTokens"];
    };
    "/v1/me/tokens/{tokenId}": {
        delete: operations["deleteV1MeTokensTokenId"];
    };
    "/v1/sdk/whoami": {
        get: operations["getV1SdkWhoami"];
    };
    "/v1/invitations/look-up": {
        post: operations["postV1InvitationsLookUp"];
    };
    "/v1/invitations/accept": {
        post: operations["postV1InvitationsAccept"];
    };
    "/v1/auth/forgot": {
        post: operations["postV1AuthForgot"];
    };
    "/v1/auth/reset": {
        post: operations["postV1AuthReset"];
    };
    "/v1/organizations": {
        get: operations["getV1Organizations"];
        post: operations["postV1Organizations"];
    };
    "/v1/organizations/{orgId}": {
        patch: operations["patchV1OrganizationsOrgId"];
    };
    "/v1/organizations/{orgId}/projects": {
        get: operations["getV1OrganizationsOrgIdProjects"];
        post: operations["postV1OrganizationsOrgIdProjects"];
    };
    "/v1/organizations/{orgId}/members": {
        get: operations["getV1OrganizationsOrgIdMembers"];
        post: operations["postV1OrganizationsOrgIdMembers"];
    };
    "/v1/organizations/{orgId}/members/{userId}": {
        delete: operations["deleteV1OrganizationsOrgIdMembersUserId"];
        patch: operations["patchV1OrganizationsOrgIdMembersUserId"];
    };
    "/v1/organizations/{orgId}/members/{userId}/revoke": {
        post: operations["postV1OrganizationsOrgIdMembersUserIdRevoke"];
    };
    "/v1/projects/{id}/api-keys": {
        get: operations["getV1ProjectsIdApiKeys"];
        post: operations["postV1ProjectsIdApiKeys"];
    };
    "/v1/projects/{id}/api-keys/{keyId}/rotate": {
        post: operations["postV1ProjectsIdApiKeysKeyIdRotate"];
    };
    "/v1/projects/{id}/api-keys/{keyId}": {
        delete: operations["deleteV1ProjectsIdApiKeysKeyId"];
        patch: operations["patchV1ProjectsIdApiKeysKeyId"];
    };
    "/v1/organizations/{orgId}/invitations": {
        get: operations["getV1OrganizationsOrgIdInvitations"];
        post: operations["postV1OrganizationsOrgIdInvitations"];
    };
    "/v1/organizations/{orgId}/invitations/{invitationId}": {
        delete: operations["deleteV1OrganizationsOrgIdInvitationsInvitationId"];
    };
    "/v1/organizations/{orgId}/audit-log": {
        get: operations["getV1OrganizationsOrgIdAuditLog"];
    };
    "/v1/organizations/{orgId}/audit-log/verify": {
        get: operations["getV1OrganizationsOrgIdAuditLogVerify"];
    };
    "/v1/projects/{id}/jobs": {
        get: operations["getV1ProjectsIdJobs"];
    };
    "/v1/projects/{id}/jobs/{jobId}": {
        get: operations["getV1ProjectsIdJobsJobId"];
    };
    "/v1/projects/{id}/jobs/{jobId}/cancel": {
        post: operations["postV1ProjectsIdJobsJobIdCancel"];
    };
    "/v1/projects/{id}/jobs/{jobId}/download": {
        get: operations["getV1ProjectsIdJobsJobIdDownload"];
    };
    "/v1/projects/{id}/models": {
        get: operations["getV1ProjectsIdModels"];
    };
    "/v1/projects/{id}/models/{model}": {
        get: operations["getV1ProjectsIdModelsModel"];
    };
    "/v1/projects/{id}/overview": {
        get: operations["getV1ProjectsIdOverview"];
    };
    "/v1/projects/{id}/prices": {
        get: operations["getV1ProjectsIdPrices"];
    };
    "/v1/projects/{id}/prices/{model}": {
        get: operations["getV1ProjectsIdPricesModel"];
        put: operations["putV1ProjectsIdPricesModel"];
        delete: operations["deleteV1ProjectsIdPricesModel"];
    };
    "/v1/projects/{id}/prices/reprice": {
        post: operations["postV1ProjectsIdPricesReprice"];
    };
    "/v1/projects/{id}/prices/reprice/{repricingId}": {
        get: operations["getV1ProjectsIdPricesRepriceRepricingId"];
    };
    "/v1/ingest/outcomes": {
        post: operations["postV1IngestOutcomes"];
    };
    "/v1/projects/{id}/outcomes/kinds": {
        get: operations["getV1ProjectsIdOutcomesKinds"];
    };
    "/v1/projects/{id}/outcomes/summary": {
        get: operations["getV1ProjectsIdOutcomesSummary"];
    };
    "/v1/projects/{id}/scores": {
        get: operations["getV1ProjectsIdScores"];
        post: operations["postV1ProjectsIdScores"];
    };
    "/v1/projects/{id}/score-summary": {
        get: operations["getV1ProjectsIdScoreSummary"];
    };
    "/v1/projects/{id}/scores/{scoreId}": {
        delete: operations["deleteV1ProjectsIdScoresScoreId"];
        patch: operations["patchV1ProjectsIdScoresScoreId"];
    };
    "/v1/projects/{id}/views": {
        get: operations["getV1ProjectsIdViews"];
        post: operations["postV1ProjectsIdViews"];
    };
    "/v1/projects/{id}/views/{viewId}": {
        get: operations["getV1ProjectsIdViewsViewId"];
        delete: operations["deleteV1ProjectsIdViewsViewId"];
        patch: operations["patchV1ProjectsIdViewsViewId"];
    };
    "/v1/projects/{id}/traces": {
        get: operations["getV1ProjectsIdTraces"];
        delete: operations["deleteV1ProjectsIdTraces"];
    };
    "/v1/projects/{id}/trace-counts": {
        get: operations["getV1ProjectsIdTraceCounts"];
    };
    "/v1/projects/{id}/filter-fields": {
        get: operations["getV1ProjectsIdFilterFields"];
    };
    "/v1/projects/{id}/filter-suggestions": {
        post: operations["postV1ProjectsIdFilterSuggestions"];
    };
    "/v1/projects/{id}/traces/{traceId}": {
        get: operations["getV1ProjectsIdTracesTraceId"];
        delete: operations["deleteV1ProjectsIdTracesTraceId"];
    };
    "/v1/projects/{id}/traces/{traceId}/payloads": {
        get: operations["getV1ProjectsIdTracesTraceIdPayloads"];
    };
    "/v1/projects/{id}/traces/{traceId}/spans": {
        get: operations["getV1ProjectsIdTracesTraceIdSpans"];
    };
    "/v1/projects/{id}/traces/{traceId}/spans/{spanId}/mapping": {
        get: operations["getV1ProjectsIdTracesTraceIdSpansSpanIdMapping"];
    };
    "/v1/projects/{id}/trace-comparison": {
        get: operations["getV1ProjectsIdTraceComparison"];
    };
    "/v1/projects/{id}/spans": {
        get: operations["getV1ProjectsIdSpans"];
    };
    "/v1/projects/{id}/span-counts": {
        get: operations["getV1ProjectsIdSpanCounts"];
    };
    "/v1/projects/{id}/facets": {
        get: operations["getV1ProjectsIdFacets"];
    };
    "/v1/projects/{id}/sessions": {
        get: operations["getV1ProjectsIdSessions"];
    };
    "/v1/projects/{id}/sessions/{sessionId}": {
        get: operations["getV1ProjectsIdSessionsSessionId"];
    };
    "/v1/projects/{id}/users": {
        get: operations["getV1ProjectsIdUsers"];
    };
    "/v1/projects/{id}/users/{userId}": {
        get: operations["getV1ProjectsIdUsersUserId"];
        delete: operations["deleteV1ProjectsIdUsersUserId"];
    };
    "/v1/projects/{id}/query": {
        get: operations["getV1ProjectsIdQuery"];
        post: operations["postV1ProjectsIdQuery"];
    };
    "/v1/projects/{id}/query-fields": {
        get: operations["getV1ProjectsIdQueryFields"];
    };
    "/v1/projects/{id}/comments": {
        get: operations["getV1ProjectsIdComments"];
        post: operations["postV1ProjectsIdComments"];
    };
    "/v1/projects/{id}/comments/{commentId}": {
        delete: operations["deleteV1ProjectsIdCommentsCommentId"];
        patch: operations["patchV1ProjectsIdCommentsCommentId"];
    };
    "/v1/me/mentions": {
        get: operations["getV1MeMentions"];
    };
    "/v1/me/mentions/read": {
        post: operations["postV1MeMentionsRead"];
    };
    "/v1/ingest": {
        post: operations["postV1Ingest"];
    };
    "/v1/traces": {
        post: operations["postV1Traces"];
    };
    "/v1/projects/{id}/mapping/preview": {
        post: operations["postV1ProjectsIdMappingPreview"];
    };
    "/v1/metrics": {
        get: operations["getV1Metrics"];
        put: operations["putV1Metrics"];
        post: operations["postV1Metrics"];
        delete: operations["deleteV1Metrics"];
        options: operations["optionsV1Metrics"];
        patch: operations["patchV1Metrics"];
        trace: operations["traceV1Metrics"];
    };
    "/v1/logs": {
        get: operations["getV1Logs"];
        put: operations["putV1Logs"];
        post: operations["postV1Logs"];
        delete: operations["deleteV1Logs"];
        options: operations["optionsV1Logs"];
        patch: operations["patchV1Logs"];
        trace: operations["traceV1Logs"];
    };
    "/v1/projects/{id}/ingest-health": {
        get: operations["getV1ProjectsIdIngestHealth"];
    };
    "/v1/projects/{id}/model-connections": {
        get: operations["getV1ProjectsIdModelConnections"];
        post: operations["postV1ProjectsIdModelConnections"];
    };
    "/v1/projects/{id}/model-connections/{connectionId}": {
        get: operations["getV1ProjectsIdModelConnectionsConnectionId"];
        delete: operations["deleteV1ProjectsIdModelConnectionsConnectionId"];
        patch: operations["patchV1ProjectsIdModelConnectionsConnectionId"];
    };
    "/v1/projects/{id}/guardrails": {
        get: operations["getV1ProjectsIdGuardrails"];
        post: operations["postV1ProjectsIdGuardrails"];
    };
    "/v1/projects/{id}/guardrails/{guardrailId}": {
        get: operations["getV1ProjectsIdGuardrailsGuardrailId"];
        delete: operations["deleteV1ProjectsIdGuardrailsGuardrailId"];
        patch: operations["patchV1ProjectsIdGuardrailsGuardrailId"];
    };
    "/v1/guardrails/check": {
        post: operations["postV1GuardrailsCheck"];
    };
    "/v1/guardrails/report": {
        post: operations["postV1GuardrailsReport"];
    };
    "/v1/projects/{id}/guardrails/activity": {
        get: operations["getV1ProjectsIdGuardrailsActivity"];
    };
    "/v1/policy-bundle": {
        get: operations["getV1PolicyBundle"];
    };
    "/v1/compliance/frameworks": {
        get: operations["getV1ComplianceFrameworks"];
    };
    "/v1/projects/{id}/evidence-packs": {
        get: operations["getV1ProjectsIdEvidencePacks"];
        post: operations["postV1ProjectsIdEvidencePacks"];
    };
    "/v1/projects/{id}/evidence-packs/{packId}": {
        get: operations["getV1ProjectsIdEvidencePacksPackId"];
    };
    "/v1/projects/{id}/evidence-packs/{packId}/download": {
        get: operations["getV1ProjectsIdEvidencePacksPackIdDownload"];
    };
    "/v1/projects/{id}/evidence-packs/{packId}/verify": {
        get: operations["getV1ProjectsIdEvidencePacksPackIdVerify"];
    };
    "/v1/projects/{id}/environments": {
        get: operations["getV1ProjectsIdEnvironments"];
        post: operations["postV1ProjectsIdEnvironments"];
    };
    "/v1/projects/{id}/environments/{environmentId}": {
        get: operations["getV1ProjectsIdEnvironmentsEnvironmentId"];
        delete: operations["deleteV1ProjectsIdEnvironmentsEnvironmentId"];
        patch: operations["patchV1ProjectsIdEnvironmentsEnvironmentId"];
    };
    "/v1/policies/schema.json": {
        get: operations["getV1PoliciesSchemaJson"];
    };
    "/v1/projects/{id}/policies": {
        get: operations["getV1ProjectsIdPolicies"];
    };
    "/v1/projects/{id}/policies/revisions": {
        get: operations["getV1ProjectsIdPoliciesRevisions"];
    };
    "/v1/organizations/{orgId}/policies": {
        get: operations["getV1OrganizationsOrgIdPolicies"];
    };
    "/v1/projects/{id}/policies/{policyId}/detach": {
        post: operations["postV1ProjectsIdPoliciesPolicyIdDetach"];
    };
    "/v1/projects/{id}/policies/{policyId}/attach": {
        post: operations["postV1ProjectsIdPoliciesPolicyIdAttach"];
    };
    "/v1/projects/{id}/policies/pull": {
        get: operations["getV1ProjectsIdPoliciesPull"];
    };
    "/v1/projects/{id}/evidence-packs/verify": {
        post: operations["postV1ProjectsIdEvidencePacksVerify"];
    };
    "/v1/projects/{id}/policies/validate": {
        post: operations["postV1ProjectsIdPoliciesValidate"];
    };
    "/v1/projects/{id}/policies/plan": {
        post: operations["postV1ProjectsIdPoliciesPlan"];
    };
    "/v1/projects/{id}/policies/apply": {
        post: operations["postV1ProjectsIdPoliciesApply"];
    };
    "/v1/projects/{id}/evaluators": {
        get: operations["getV1ProjectsIdEvaluators"];
        post: operations["postV1ProjectsIdEvaluators"];
    };
    "/v1/projects/{id}/evaluators/{evaluatorId}": {
        get: operations["getV1ProjectsIdEvaluatorsEvaluatorId"];
        delete: operations["deleteV1ProjectsIdEvaluatorsEvaluatorId"];
        patch: operations["patchV1ProjectsIdEvaluatorsEvaluatorId"];
    };
    "/v1/projects/{id}/evaluations": {
        get: operations["getV1ProjectsIdEvaluations"];
    };
    "/v1/datasets": {
        get: operations["getV1Datasets"];
        post: operations["postV1Datasets"];
    };
    "/v1/datasets/{datasetId}": {
        get: operations["getV1DatasetsDatasetId"];
        delete: operations["deleteV1DatasetsDatasetId"];
        patch: operations["patchV1DatasetsDatasetId"];
    };
    "/v1/datasets/{datasetId}/items": {
        get: operations["getV1DatasetsDatasetIdItems"];
        post: operations["postV1DatasetsDatasetIdItems"];
    };
    "/v1/datasets/{datasetId}/items/{itemId}": {
        get: operations["getV1DatasetsDatasetIdItemsItemId"];
        delete: operations["deleteV1DatasetsDatasetIdItemsItemId"];
        patch: operations["patchV1DatasetsDatasetIdItemsItemId"];
    };
    "/v1/datasets/{datasetId}/runs": {
        get: operations["getV1DatasetsDatasetIdRuns"];
        post: operations["postV1DatasetsDatasetIdRuns"];
    };
    "/v1/datasets/{datasetId}/runs/compare": {
        get: operations["getV1DatasetsDatasetIdRunsCompare"];
    };
    "/v1/datasets/{datasetId}/runs/{runId}": {
        get: operations["getV1DatasetsDatasetIdRunsRunId"];
        delete: operations["deleteV1DatasetsDatasetIdRunsRunId"];
    };
    "/v1/datasets/{datasetId}/runs/{runId}/items": {
        post: operations["postV1DatasetsDatasetIdRunsRunIdItems"];
    };
    "/v1/datasets/{datasetId}/export": {
        get: operations["getV1DatasetsDatasetIdExport"];
    };
    "/v1/datasets/{datasetId}/import": {
        post: operations["postV1DatasetsDatasetIdImport"];
    };
    "/v1/projects/{id}/selections": {
        post: operations["postV1ProjectsIdSelections"];
    };
    "/v1/prompts": {
        get: operations["getV1Prompts"];
        post: operations["postV1Prompts"];
    };
    "/v1/prompts/folders": {
        get: operations["getV1PromptsFolders"];
    };
    "/v1/projects/{id}/prompts/{name}/metrics": {
        get: operations["getV1ProjectsIdPromptsNameMetrics"];
    };
    "/v1/prompts/{name}/versions": {
        get: operations["getV1PromptsNameVersions"];
    };
    "/v1/prompts/{name}/labels": {
        patch: operations["patchV1PromptsNameLabels"];
    };
    "/v1/prompts/{name}/labels/{label}": {
        delete: operations["deleteV1PromptsNameLabelsLabel"];
    };
    "/v1/prompts/{name}/tags": {
        patch: operations["patchV1PromptsNameTags"];
    };
    "/v1/prompts/{name}/folder": {
        patch: operations["patchV1PromptsNameFolder"];
    };
    "/v1/prompts/{name}": {
        delete: operations["deleteV1PromptsName"];
    };
    "/v1/projects/{id}/simulations/scenarios": {
        get: operations["getV1ProjectsIdSimulationsScenarios"];
        post: operations["postV1ProjectsIdSimulationsScenarios"];
    };
    "/v1/projects/{id}/simulations/scenarios/{scenarioId}": {
        get: operations["getV1ProjectsIdSimulationsScenariosScenarioId"];
        delete: operations["deleteV1ProjectsIdSimulationsScenariosScenarioId"];
        patch: operations["patchV1ProjectsIdSimulationsScenariosScenarioId"];
    };
    "/v1/projects/{id}/simulations/batch-runs": {
        get: operations["getV1ProjectsIdSimulationsBatchRuns"];
        post: operations["postV1ProjectsIdSimulationsBatchRuns"];
    };
    "/v1/projects/{id}/simulations/batch-runs/{batchRunId}": {
        get: operations["getV1ProjectsIdSimulationsBatchRunsBatchRunId"];
    };
    "/v1/projects/{id}/simulations/batch-runs/{batchRunId}/items": {
        get: operations["getV1ProjectsIdSimulationsBatchRunsBatchRunIdItems"];
    };
    "/v1/projects/{id}/simulations/batch-runs/{batchRunId}/distributions": {
        get: operations["getV1ProjectsIdSimulationsBatchRunsBatchRunIdDistributions"];
    };
    "/v1/projects/{id}/simulations/batch-runs/{batchRunId}/cancel": {
        post: operations["postV1ProjectsIdSimulationsBatchRunsBatchRunIdCancel"];
    };
    "/v1/projects/{id}/simulations/batch-runs/{batchRunId}/gate": {
        post: operations["postV1ProjectsIdSimulationsBatchRunsBatchRunIdGate"];
    };
    "/projects/{id}/simulations/batch-runs/{batchRunId}/gate": {
        post: operations["postProjectsIdSimulationsBatchRunsBatchRunIdGate"];
    };
    "/v1/projects/{id}/simulations/try": {
        post: operations["postV1ProjectsIdSimulationsTry"];
    };
    "/v1/projects/{id}/changes": {
        get: operations["getV1ProjectsIdChanges"];
        post: operations["postV1ProjectsIdChanges"];
    };
    "/v1/projects/{id}/changes/{changeId}": {
        get: operations["getV1ProjectsIdChangesChangeId"];
    };
    "/v1/projects/{id}/changes/{changeId}/impact": {
        get: operations["getV1ProjectsIdChangesChangeIdImpact"];
    };
    "/v1/projects/{id}/graph": {
        get: operations["getV1ProjectsIdGraph"];
    };
    "/v1/projects/{id}/blast-radius": {
        get: operations["getV1ProjectsIdBlastRadius"];
    };
    "/v1/projects/{id}/incidents": {
        get: operations["getV1ProjectsIdIncidents"];
    };
    "/v1/projects/{id}/incidents/{incidentId}": {
        get: operations["getV1ProjectsIdIncidentsIncidentId"];
        patch: operations["patchV1ProjectsIdIncidentsIncidentId"];
    };
    "/v1/projects/{id}/incidents/{incidentId}/fix-proposals": {
        get: operations["getV1ProjectsIdIncidentsIncidentIdFixProposals"];
        post: operations["postV1ProjectsIdIncidentsIncidentIdFixProposals"];
    };
    "/v1/projects/{id}/incidents/{incidentId}/fix-proposals/{proposalId}": {
        get: operations["getV1ProjectsIdIncidentsIncidentIdFixProposalsProposalId"];
    };
    "/v1/projects/{id}/alerts": {
        get: operations["getV1ProjectsIdAlerts"];
        post: operations["postV1ProjectsIdAlerts"];
    };
    "/v1/projects/{id}/alerts/preview": {
        post: operations["postV1ProjectsIdAlertsPreview"];
    };
    "/v1/projects/{id}/alerts/{alertId}": {
        get: operations["getV1ProjectsIdAlertsAlertId"];
        delete: operations["deleteV1ProjectsIdAlertsAlertId"];
        patch: operations["patchV1ProjectsIdAlertsAlertId"];
    };
    "/v1/projects/{id}/alerts/{alertId}/deliveries": {
        get: operations["getV1ProjectsIdAlertsAlertIdDeliveries"];
    };
    "/v1/projects/{id}/alerts/{alertId}/test": {
        post: operations["postV1ProjectsIdAlertsAlertIdTest"];
    };
    "/v1/projects/{id}/alerts/{alertId}/deliveries/{deliveryId}/redeliver": {
        post: operations["postV1ProjectsIdAlertsAlertIdDeliveriesDeliveryIdRedeliver"];
    };
    "/v1/projects/{id}/model-lifecycle/findings": {
        get: operations["getV1ProjectsIdModelLifecycleFindings"];
    };
    "/v1/projects/{id}/model-lifecycle/findings/{findingId}/dismiss": {
        post: operations["postV1ProjectsIdModelLifecycleFindingsFindingIdDismiss"];
    };
    "/v1/projects/{id}/model-lifecycle/scan": {
        post: operations["postV1ProjectsIdModelLifecycleScan"];
    };
    "/v1/projects/{id}/model-lifecycle/catalogue": {
        get: operations["getV1ProjectsIdModelLifecycleCatalogue"];
    };
    "/v1/projects/{id}/model-lifecycle/catalogue/{model}": {
        put: operations["putV1ProjectsIdModelLifecycleCatalogueModel"];
        delete: operations["deleteV1ProjectsIdModelLifecycleCatalogueModel"];
    };
    "/v1/projects/{id}/traces/{traceId}/shares": {
        get: operations["getV1ProjectsIdTracesTraceIdShares"];
        post: operations["postV1ProjectsIdTracesTraceIdShares"];
    };
    "/v1/projects/{id}/shares/{shareId}": {
        delete: operations["deleteV1ProjectsIdSharesShareId"];
    };
    "/v1/shares/{token}": {
        get: operations["getV1SharesToken"];
    };
    "/mcp": {
        post: operations["postMcp"];
    };
}
export interface components {
    schemas: {
        AcceptanceBody: {
            token: string;
            name?: string;
            password?: string;
        };
        Accepted: {
            user: components["schemas"]["User"];
        };
        AffectedNode: {
            id: string;
            type: "service" | "agent" | "model" | "provider" | "prompt" | "tool" | "retriever";
            name: string;
            distance: number;
            calls: number;
            share: number;
        };
        AgentUsage: {
            agent_name: string;
            calls: number;
            cost: number;
            unpriced_calls: number;
            partly_priced_calls: number;
            avg_latency: number;
            error_rate: number;
        };
        AlertBody: {
            name: string;
            type: "error-rate" | "latency" | "cost" | "quality" | "guardrail" | "ingest-stopped" | "model-lifecycle";
            threshold?: number | null;
            window?: ("5m" | "15m" | "30m" | "1h" | "6h" | "24h") | null;
            filter?: components["schemas"]["AlertFilter"];
            environment?: string | null;
            groupBy?: ("model" | "agent" | "environment") | null;
            count?: ("triggered" | "failed") | null;
            minCount?: number | null;
            forMinutes?: number;
            recoveryThreshold?: number | null;
            noData?: "keep" | "resolve" | "fire";
            renotifyMinutes?: number | null;
            channels?: components["schemas"]["ChannelBody"][];
            enabled?: boolean;
        };
        AlertChange: {
            name?: string;
            type?: "error-rate" | "latency" | "cost" | "quality" | "guardrail" | "ingest-stopped" | "model-lifecycle";
            threshold?: number | null;
            window?: ("5m" | "15m" | "30m" | "1h" | "6h" | "24h") | null;
            filter?: components["schemas"]["AlertFilter"];
            environment?: string | null;
            groupBy?: ("model" | "agent" | "environment") | null;
            count?: ("triggered" | "failed") | null;
            minCount?: number | null;
            forMinutes?: number;
            recoveryThreshold?: number | null;
            noData?: "keep" | "resolve" | "fire";
            renotifyMinutes?: number | null;
            channels?: components["schemas"]["ChannelBody"][];
            enabled?: boolean;
        };
        AlertFilter: {
            models?: string[];
            agents?: string[];
            operations?: string[];
            evaluators?: string[];
            guardrails?: string[];
            expression?: string;
        };
        AlertPage: {
            alerts: components["schemas"]["AlertRule"][];
            nextCursor: string | null;
        };
        AlertPreview: {
            wouldHaveFired: {
                at: string;
                resolvedAt: string | null;
                scope: string | null;
                value: number | null;
            }[];
            from: string;
            to: string;
        };
        AlertRule: {
            id: string;
            projectId: string;
            name: string;
            type: "error-rate" | "latency" | "cost" | "quality" | "guardrail" | "ingest-stopped" | "model-lifecycle";
            threshold: number | null;
            window: ("5m" | "15m" | "30m" | "1h" | "6h" | "24h") | null;
            filter: components["schemas"]["AlertFilter"];
            environment: string | null;
            groupBy: ("model" | "agent" | "environment") | null;
            count: ("triggered" | "failed") | null;
            minCount: number | null;
            forMinutes: number;
            recoveryThreshold: number | null;
            noData: "keep" | "resolve" | "fire";
            renotifyMinutes: number | null;
            channels: components["schemas"]["Channel"][];
            enabled: boolean;
            state: "ok" | "firing" | "no_data";
            lastValue: number | null;
            lastEvaluatedAt: string | null;
            lastError: string | null;
            createdAt: string;
            updatedAt: string;
        };
        ApiKey: {
            id: string;
            name: string;
            prefix: string;
            createdAt: string;
            lastUsedAt: string | null;
            previousSecretExpiresAt: string | null;
            scopes: ("ingest" | "read" | "prompts:read" | "prompts:write" | "datasets:write" | "scores:write" | "guardrails:check" | "simulations:run" | "admin-read")[] | null;
            expiresAt: string | null;
            scopesUsed: {
                scope: "ingest" | "read" | "prompts:read" | "prompts:write" | "datasets:write" | "scores:write" | "guardrails:check" | "simulations:run" | "admin-read";
                lastUsedAt: string;
            }[];
            unusedScopes: ("ingest" | "read" | "prompts:read" | "prompts:write" | "datasets:write" | "scores:write" | "guardrails:check" | "simulations:run" | "admin-read")[];
        };
        ApiKeyBody: {
            name: string;
            scopes?: ("ingest" | "read" | "prompts:read" | "prompts:write" | "datasets:write" | "scores:write" | "guardrails:check" | "simulations:run" | "admin-read")[] | null;
            expiresAt?: string | null;
        };
        ApiKeyChange: {
            name?: string;
            scopes?: ("ingest" | "read" | "prompts:read" | "prompts:write" | "datasets:write" | "scores:write" | "guardrails:check" | "simulations:run" | "admin-read")[] | null;
            expiresAt?: string | null;
        };
        ApiKeyCreated: {
            id: string;
            name: string;
            prefix: string;
            createdAt: string;
            lastUsedAt: string | null;
            previousSecretExpiresAt: string | null;
            scopes: ("ingest" | "read" | "prompts:read" | "prompts:write" | "datasets:write" | "scores:write" | "guardrails:check" | "simulations:run" | "admin-read")[] | null;
            expiresAt: string | null;
            scopesUsed: {
                scope: "ingest" | "read" | "prompts:read" | "prompts:write" | "datasets:write" | "scores:write" | "guardrails:check" | "simulations:run" | "admin-read";
                lastUsedAt: string;
            }[];
            unusedScopes: ("ingest" | "read" | "prompts:read" | "prompts:write" | "datasets:write" | "scores:write" | "guardrails:check" | "simulations:run" | "admin-read")[];
            key: string;
        };
        ApiKeyPage: {
            apiKeys: components["schemas"]["ApiKey"][];
            nextCursor: string | null;
        };
        ApplicationUser: {
            userId: string;
            firstSeen: string;
            lastSeen: string;
            traces: number;
            calls: number;
            errors: number;
            unpricedCalls: number;
            partlyPricedCalls: number;
            costUsd: number;
            sessions: number;
            inputTokens: number;
            outputTokens: number;
            avgScore: number | null;
            evalCount: number;
            outcomes: number;
            successRate: number | null;
            costPerSuccess: number | null;
        };
        ApplicationUserDetail: {
            user: components["schemas"]["ApplicationUser"];
            timeline: {
                day: string;
                traces: number;
                calls: number;
                errors: number;
                unpricedCalls: number;
                partlyPricedCalls: number;
                costUsd: number;
            }[];
            byModel: {
                model: string;
                calls: number;
                unpricedCalls: number;
                partlyPricedCalls: number;
                costUsd: number;
            }[];
            byAgent: {
                agent: string;
                calls: number;
                unpricedCalls: number;
                partlyPricedCalls: number;
                costUsd: number;
            }[];
            guardrails: {
                slug: string;
                triggered: number;
            }[];
        };
        ApplicationUserPage: {
            users: components["schemas"]["ApplicationUser"][];
            nextCursor: string | null;
        };
        Applied: {
            applied: {
                action: "create" | "update" | "remove" | "none";
                kind: "Environment" | "Guardrail";
                name: string;
            }[];
            revision: number;
            auditLogId: string;
        };
        ApplyBody: {
            planId: string;
            files: components["schemas"]["PolicyFile"][];
            allowRemoval?: boolean;
        };
        AuditEntry: {
            id: string;
            seq: number;
            at: string;
            kind: string;
            actor: {
                type: "user" | "api_key" | "system";
                id: string | null;
                name: string | null;
            };
            projectId: string | null;
            subject: string | null;
            detail: {
                [key: string]: unknown;
            };
            previousHash: string;
            hash: string;
        };
        AuditPage: {
            entries: components["schemas"]["AuditEntry"][];
            nextCursor: string | null;
        };
        AuditVerification: {
            valid: boolean;
            entries: number;
            brokenAt: number | null;
        };
        BatchItem: {
            datasetItemId: string;
            inputPreview: string | null;
            repetition: number;
            status: "pending" | "passed" | "failed" | "error" | "cancelled";
            output: unknown;
            error: string | null;
            errorKind: ("target" | "evaluator") | null;
            latencyMs: number | null;
            costUsd: number | null;
            unpricedCalls: number;
            partlyPricedCalls: number;
            traceId: string | null;
            referenceMatch: boolean | null;
            scores: components["schemas"]["BatchItemScore"][];
            changes?: ("regressed" | "improved" | "unchanged" | "newly_failing")[];
            baseline?: {
                repetition: number;
                status: "pending" | "passed" | "failed" | "error" | "cancelled";
                output: unknown;
                error: string | null;
                errorKind: ("target" | "evaluator") | null;
                latencyMs: number | null;
                costUsd: number | null;
                unpricedCalls: number;
                partlyPricedCalls: number;
                traceId: string | null;
                referenceMatch: boolean | null;
                scores: components["schemas"]["BatchItemScore"][];
            } | null;
        };
        BatchItemPage: {
            items: components["schemas"]["BatchItem"][];
            nextCursor: string | null;
        };
        BatchItemScore: {
            evaluator: string;
            score: number;
            passed: boolean | null;
            comment: string | null;
        };
        BatchRun: {
            id: string;
            scenarioId: string;
            scenarioName: string;
            label: string | null;
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            error: string | null;
            concurrency: number;
            repetitions: number;
            createdAt: string;
            startedAt: string | null;
            completedAt: string | null;
            createdBy: string;
            counts: {
                total: number;
                pending: number;
                passed: number;
                failed: number;
                error: number;
                cancelled: number;
            };
            passRate: number | null;
            errorRate: number | null;
            latencyP50Ms: number | null;
            latencyP95Ms: number | null;
            costUsd: number;
            unpricedCalls: number;
            partlyPricedCalls: number;
            datasetId: string;
            datasetRunId: string | null;
            url: string | null;
        };
        BatchRunBody: {
            scenarioId: string;
            concurrency?: number;
            label?: string | null;
            repetitions?: number;
        };
        BatchRunPage: {
            batchRuns: components["schemas"]["BatchRun"][];
            nextCursor: string | null;
        };
        BlastRadius: {
            node: components["schemas"]["GraphNode"];
            affected: components["schemas"]["AffectedNode"][];
            truncated?: true;
            totals: {
                agents: number;
                traces: number;
                sessions: number;
                users: number;
                cost: number;
                unpricedCalls: number;
                partlyPricedCalls: number;
                outcomes: number;
            };
            changes: components["schemas"]["Change"][];
        };
        BundledGuardrail: {
            slug: string;
            name: string;
            type: "regex" | "blocklist" | "pii" | "secrets" | "prompt_injection" | "max_length" | "json_schema" | "llm_judge";
            stage: "input" | "output" | "both";
            action: "block" | "redact" | "flag";
            config: {
                [key: string]: unknown;
            } | null;
            priority: number;
            onError: "allow" | "block";
            remote: boolean;
        };
        CallDay: {
            day: string;
            calls: number;
            unpriced_calls: number;
            partly_priced_calls: number;
            cost: number;
            errors: number;
            error_rate: number;
            avg_latency: number;
        };
        Change: {
            id: string;
            projectId: string;
            kind: "deploy" | "config" | "prompt" | "model";
            service: string | null;
            version: string | null;
            commitSha: string | null;
            environment: string | null;
            actor: string | null;
            url: string | null;
            at: string;
            description: string | null;
            idempotencyKey: string | null;
            metadata: {
                [key: string]: unknown;
            };
            source: "api" | "automatic";
            createdAt: string;
        };
        ChangeBody: {
            kind: "deploy" | "config" | "prompt" | "model";
            service?: string;
            version?: string;
            commitSha?: string;
            environment?: string;
            actor?: string;
            url?: string;
            at?: string;
            description?: string;
            idempotencyKey?: string;
            metadata?: {
                [key: string]: unknown;
            };
        };
        ChangePage: {
            changes: components["schemas"]["Change"][];
            nextCursor: string | null;
        };
        Channel: {
            id: string;
            type: "email";
            to: string[];
            disabledAt: string | null;
        } | {
            id: string;
            type: "webhook";
            url: string;
            hasSecret: true;
            secret?: string;
            disabledAt: string | null;
        };
        ChannelBody: {
            type: "email";
            to: string[];
        } | {
            type: "webhook";
            url: string;
            secret?: string;
        };
        CheckAnswer: {
            checkId: string;
            action: "allow" | "flag" | "redact" | "block";
            text: string;
            results: components["schemas"]["GuardrailResult"][];
            safeUntil: number;
            policyVersion: number;
            latencyMs: number;
            unknownEnvironment?: true;
        };
        CheckBody: {
            projectId?: string;
            text: string;
            stage?: "input" | "output";
            environment?: string;
            guardrails?: string[];
            final?: boolean;
            traceId?: string;
            parentSpanId?: string;
            count?: boolean;
        };
        Comment: {
            id: string;
            traceId: string;
            spanId: string | null;
            body: string;
            anchor: {
                field: "input" | "output";
                path?: string;
                start?: number;
                end?: number;
            } | null;
            author: {
                id: string;
                name: string;
            };
            createdAt: string;
            editedAt: string | null;
            resolvedAt: string | null;
            mentions: string[];
        };
        CommentAnchor: {
            field: "input" | "output";
            path?: string;
            start?: number;
            end?: number;
        };
        CommentAnswer: {
            comment: components["schemas"]["Comment"];
        };
        CommentBody: {
            traceId: string;
            spanId?: string | null;
            body: string;
            anchor?: components["schemas"]["CommentAnchor"] | null;
        };
        CommentChange: {
            body?: string;
            resolved?: boolean;
        };
        CommentPage: {
            comments: components["schemas"]["Comment"][];
            nextCursor: string | null;
        };
        ComparedItem: {
            runItemId: string;
            traceId: string | null;
            output: unknown;
            latencyMs: number | null;
            costUsd: number | null;
            error: (string | true) | null;
            unpricedCalls: number;
            partlyPricedCalls: number;
            scores: components["schemas"]["RunScore"][];
        };
        Comparison: {
            items: {
                datasetItemId: string;
                a: components["schemas"]["ComparedItem"] | null;
                b: components["schemas"]["ComparedItem"] | null;
            }[];
            byEvaluator: {
                evaluator: string;
                meanDelta: number | null;
                ciLow: number | null;
                ciHigh: number | null;
                n: number;
            }[];
        };
        ConnectionConflict: {
            error: string;
            code?: string;
            details?: components["schemas"]["ErrorDetail"][];
            usedBy?: components["schemas"]["ConnectionUse"][];
        };
        ConnectionUse: {
            kind: "guardrail" | "evaluator" | "scenario";
            id: string;
            name: string;
        };
        CurrentSession: {
            user: components["schemas"]["User"];
            mayCreateOrganizations: boolean;
            organizations: {
                id: string;
                slug: string;
                name: string;
                plan: "free" | "pro" | "team" | "scale";
                role: "owner" | "admin" | "member" | "viewer";
                sharedLinks: boolean;
                permissions: ("dashboard:read" | "policy:read" | "prompts:manage" | "datasets:manage" | "evaluations:manage" | "alerts:manage" | "simulations:manage" | "views:manage" | "dashboards:manage" | "comments:write" | "shares:manage" | "issues:manage" | "compliance:read" | "guardrails:manage" | "environments:manage" | "incidents:manage" | "compliance:generate" | "policy:apply" | "keys:manage" | "members:manage" | "audit:read" | "traces:delete" | "connections:manage" | "exports:manage" | "organization:manage")[];
                projects: {
                    id: string;
                    name: string;
                    slug: string;
                }[];
            }[];
        };
        Dataset: {
            id: string;
            projectId: string;
            name: string;
            description: string | null;
            metadata: {
                [key: string]: unknown;
            };
            itemCount: number;
            createdAt: string;
            updatedAt: string;
        };
        DatasetBody: {
            projectId?: string;
            name: string;
            description?: string | null;
            metadata?: {
                [key: string]: unknown;
            };
        };
        DatasetChange: {
            projectId?: string;
            name?: string;
            description?: string | null;
            metadata?: {
                [key: string]: unknown;
            };
        };
        DatasetItem: {
            id: string;
            datasetId: string;
            input: unknown;
            expectedOutput?: unknown;
            metadata: {
                [key: string]: unknown;
            };
            externalId?: string;
            source?: {
                traceId: string;
                spanId: string;
            };
            createdAt: string;
            updatedAt: string;
        };
        DatasetItems: {
            items: components["schemas"]["DatasetItem"][];
        };
        DatasetPage: {
            datasets: components["schemas"]["Dataset"][];
            nextCursor: string | null;
        };
        Delivery: {
            id: string;
            channel: {
                id: string;
                type: "email" | "webhook";
                url?: string;
                to?: string[];
            };
            type: "incident.opened" | "incident.reopened" | "incident.acknowledged" | "incident.resolved" | "model_lifecycle.raised" | "test";
            incidentId: string | null;
            status: "pending" | "delivered" | "failed";
            attempts: {
                at: string;
                statusCode: number | null;
                error: string | null;
            }[];
            nextAttemptAt: string | null;
            createdAt: string;
        };
        DeliveryPage: {
            deliveries: components["schemas"]["Delivery"][];
            nextCursor: string | null;
        };
        Distributions: {
            latencyMs: {
                from: number;
                to: number | null;
                count: number;
                baseline: number | null;
            }[];
            costUsd: {
                from: number;
                to: number | null;
                count: number;
                baseline: number | null;
            }[];
            changes: {
                regressed: number;
                improved: number;
                unchanged: number;
                newly_failing: number;
            } | null;
        };
        Environment: {
            id: string;
            projectId: string;
            name: string;
            description: string;
            managedBy: "dashboard" | "code";
            attached: components["schemas"]["EnvironmentAttachments"];
            lastSeenAt: string | null;
            createdAt: string;
            updatedAt: string;
        };
        EnvironmentAttachments: {
            guardrails: string[];
            alerts: string[];
            incidents: string[];
        };
        EnvironmentBody: {
            name: string;
            description?: string;
        };
        EnvironmentChange: {
            description?: string;
        };
        EnvironmentInUse: {
            error: string;
            code?: string;
            details?: components["schemas"]["ErrorDetail"][];
            attached?: components["schemas"]["EnvironmentAttachments"];
        };
        EnvironmentPage: {
            environments: components["schemas"]["Environment"][];
            nextCursor: string | null;
            unregistered: {
                name: string;
                lastSeenAt: string;
            }[];
        };
        ErrorBody: {
            error: string;
            code?: string;
            details?: components["schemas"]["ErrorDetail"][];
        };
        ErrorDetail: {
            path: string;
            message: string;
            start?: number;
            end?: number;
            suggestion?: string;
        };
        Evaluation: {
            id: string;
            evaluator: string;
            evaluatorId: string;
            target: {
                type: "span" | "trace" | "session" | "run_item";
                traceId?: string;
                spanId?: string;
                sessionId?: string;
                runItemId?: string;
                datasetId?: string;
                runId?: string;
                datasetItemId?: string;
            };
            status: "queued" | "running" | "completed" | "failed" | "skipped";
            score: number | null;
            passed: boolean | null;
            comment: string | null;
            error: string | null;
            attempts: number;
            usage: {
                inputTokens: number;
                outputTokens: number;
                costUsd: number | null;
            } | null;
            createdAt: string;
            startedAt: string | null;
            finishedAt: string | null;
        };
        EvaluationPage: {
            evaluations: components["schemas"]["Evaluation"][];
            nextCursor: string | null;
            queue: {
                waiting: number;
                limit: number;
                refusedLastDay: number;
            };
        };
        Evaluator: {
            id: string;
            slug: string;
            name: string;
            type: "exact" | "fuzzy" | "contains" | "regex" | "json_schema" | "latency" | "cost" | "llm_judge";
            config: {
                [key: string]: unknown;
            };
            target: "span" | "trace" | "session";
            filter: components["schemas"]["EvaluatorFilter"];
            sampleRate: number;
            passThreshold: number | null;
            idleMinutes: number;
            enabled: boolean;
            createdAt: string;
            updatedAt: string;
        };
        EvaluatorBody: {
            slug: string;
            name?: string;
            type: "exact" | "fuzzy" | "contains" | "regex" | "json_schema" | "latency" | "cost" | "llm_judge";
            config?: {
                [key: string]: unknown;
            };
            target?: "span" | "trace" | "session";
            filter?: components["schemas"]["EvaluatorFilter"];
            sampleRate?: number;
            passThreshold?: number | null;
            idleMinutes?: number;
            enabled?: boolean;
        };
        EvaluatorChange: {
            slug?: string;
            name?: string;
            type?: "exact" | "fuzzy" | "contains" | "regex" | "json_schema" | "latency" | "cost" | "llm_judge";
            config?: {
                [key: string]: unknown;
            };
            target?: "span" | "trace" | "session";
            filter?: components["schemas"]["EvaluatorFilter"];
            sampleRate?: number;
            passThreshold?: number | null;
            idleMinutes?: number;
            enabled?: boolean;
        };
        EvaluatorFilter: {
            kinds?: ("llm" | "embedding" | "agent" | "tool" | "retriever" | "chain" | "guardrail" | "evaluator" | "span")[];
            models?: string[];
            agents?: string[];
            environments?: string[];
            tags?: string[];
            expression?: string;
        };
        EvaluatorPage: {
            evaluators: components["schemas"]["Evaluator"][];
            nextCursor: string | null;
        };
        EvaluatorSummary: {
            evaluator: string;
            type: "number" | "category";
            count: number;
            avg: number | null;
            passRate: number | null;
            low: number | null;
            high: number | null;
            distribution: ({
                from: number;
                to: number;
                count: number;
            } | {
                value: string;
                count: number;
            })[];
            timeline: {
                day: string;
                count: number;
                avg: number | null;
                passRate: number | null;
            }[];
            by: {
                value: string | null;
                count: number;
                avg: number | null;
                passRate: number | null;
            }[];
        };
        Evidence: {
            type: string;
            description: string;
            count: number;
            from: string;
            to: string;
            sha256: string;
            sample: {
                [key: string]: unknown;
            }[];
        };
        EvidencePack: {
            id: string;
            projectId: string;
            framework: "soc2";
            from: string;
            to: string;
            createdAt: string;
            createdBy: string;
            controls: components["schemas"]["PackControl"][];
            audit: {
                from: {
                    seq: number;
                    hash: string;
                };
                to: {
                    seq: number;
                    hash: string;
                };
                entries: number;
            };
            sha256: string;
            signature: string;
            publicKey: string;
        };
        FacetList: {
            facets: ({
                field: string;
                values: {
                    value: string;
                    count: number;
                }[];
                other: number;
                missing: number;
                total: number;
            } | {
                field: string;
                min: number | null;
                max: number | null;
                buckets: {
                    from: number;
                    to: number;
                    count: number;
                }[];
                missing: number;
                total: number;
            })[];
            sampled: boolean;
        };
        FilterFieldList: {
            fields: {
                name: string;
                type: "text" | "number" | "duration" | "cost" | "boolean" | "time" | "key";
                operators: string[];
                description: string;
                values?: string[];
            }[];
        };
        FilterSuggestions: {
            items: {
                label: string;
                insert: string;
                start: number;
                end: number;
                kind: "field" | "value" | "operator" | "history";
            }[];
        };
        FilterSuggestionsBody: {
            on: "spans" | "traces";
            text: string;
            cursor: number;
        };
        Finding: {
            id: string;
            model: string;
            provider: string | null;
            certainty: "firm";
            retiresOn: string;
            daysRemaining: number;
            band: 90 | 30 | 7 | 0;
            state: "open" | "dismissed";
            raisedAt: string;
            dismissedAt: string | null;
            dismissedBy: string | null;
            dismissedBand: number | null;
            replacement: string | null;
            source: string | null;
            calls30d: number;
            cost30d: number;
            unpricedCalls: number;
            partlyPricedCalls: number;
            agents: string[];
            lastCalledAt: string;
        };
        FindingList: {
            findings: components["schemas"]["Finding"][];
            scannedAt: string | null;
        };
        FixProposal: {
            id: string;
            incidentId: string;
            status: "queued" | "running" | "completed" | "failed";
            promptName: string;
            baseVersion: number;
            proposedVersion: number | null;
            diff: {
                op: "equal" | "add" | "remove";
                text: string;
            }[];
            rationale: string | null;
            traceIds: string[];
            costUsd: number | null;
            error: string | null;
            createdAt: string;
            completedAt: string | null;
        };
        FixProposalPage: {
            fixProposals: components["schemas"]["FixProposal"][];
            nextCursor: string | null;
        };
        FolderBody: {
            folder: string | null;
            projectId?: string;
        };
        FolderList: {
            folders: string[];
        };
        ForgotBody: {
            email: string;
        };
        Forgotten: {
            mailed: boolean;
        };
        Framework: {
            id: string;
            name: string;
            label: string;
            reviewedOn: string;
            reviewedBy: string;
            controls: {
                controlId: string;
                title: string;
            }[];
        };
        FrameworkList: {
            frameworks: components["schemas"]["Framework"][];
        };
        FrontierPoint: {
            model: string;
            callCount: number;
            avgCostUsd: number;
            totalCost: number;
            unpricedCalls: number;
            partlyPricedCalls: number;
            avgEvalScore: number | null;
            evalCount: number;
            cheaper?: boolean;
            costDeltaPct?: number | null;
            qualityDelta?: number | null;
        };
        GateBody: {
            baselineBatchRunId: string;
            thresholds?: {
                maxPassRateDrop?: number;
                minPassRate?: number;
                maxErrorRate?: number;
                maxP95LatencyIncrease?: number;
                maxCostIncrease?: number;
            };
            confidence?: number;
            onInconclusive?: "pass" | "fail" | "point";
        };
        GatePending: {
            pending: true;
            batchRun: components["schemas"]["BatchRun"];
        };
        GateResult: {
            pending: false;
            passed: boolean;
            verdict: "pass" | "fail" | "inconclusive";
            checks: {
                name: "pass_rate_drop" | "min_pass_rate" | "max_error_rate" | "p95_latency_increase" | "cost_increase" | "completed";
                baseline: number | null;
                candidate: number | null;
                delta: number | null;
                limit: number | null;
                passed: boolean;
                verdict: "pass" | "fail" | "inconclusive";
                ciLow: number | null;
                ciHigh: number | null;
                itemsNeeded?: number | null;
            }[];
            regressions: {
                datasetItemId: string;
                baseline: {
                    status: "pending" | "passed" | "failed" | "error" | "cancelled";
                    output: unknown;
                };
                candidate: {
                    status: "pending" | "passed" | "failed" | "error" | "cancelled";
                    output: unknown;
                };
            }[];
            compared: number;
            onlyInOne: number;
        };
        Graph: {
            nodes: components["schemas"]["GraphNode"][];
            edges: components["schemas"]["GraphEdge"][];
            truncated: boolean;
        };
        GraphEdge: {
            source: string;
            target: string;
            calls: number;
            errors: number;
            p95Latency: number;
        };
        GraphNode: {
            id: string;
            type: "service" | "agent" | "model" | "provider" | "prompt" | "tool" | "retriever";
            name: string;
            calls: number;
            errors: number;
            errorRate: number;
            cost: number;
            unpricedCalls: number;
            partlyPricedCalls: number;
            p95Latency: number;
        };
        Guardrail: {
            id: string;
            projectId: string;
            slug: string;
            name: string;
            type: "regex" | "blocklist" | "pii" | "secrets" | "prompt_injection" | "max_length" | "json_schema" | "llm_judge";
            stage: "input" | "output" | "both";
            action: "block" | "redact" | "flag";
            config: {
                [key: string]: unknown;
            };
            environments: string[] | null;
            priority: number;
            enabled: boolean;
            onError: "allow" | "block";
            managedBy: "dashboard" | "code";
            createdAt: string;
            updatedAt: string;
        };
        GuardrailActivity: {
            totals: {
                checks: number;
                flagged: number;
                redacted: number;
                blocked: number;
                allowed: number;
                failed: number;
            };
            byGuardrail: {
                guardrail: string;
                type: string;
                checks: number;
                flagged: number;
                redacted: number;
                blocked: number;
                triggered: number;
                failed: number;
                failedBlocked: number;
                caught: number;
                p95LatencyMs: number | null;
            }[];
            timeline: {
                day: string;
                checks: number;
                flagged: number;
                redacted: number;
                blocked: number;
            }[];
            groups?: {
                guardrail: string;
                key: string | null;
                checks: number;
                flagged: number;
                redacted: number;
                blocked: number;
                triggered: number;
                failed: number;
                failedBlocked: number;
                caught: number;
            }[];
        };
        GuardrailBody: {
            slug: string;
            name?: string;
            type: "regex" | "blocklist" | "pii" | "secrets" | "prompt_injection" | "max_length" | "json_schema" | "llm_judge";
            stage?: "input" | "output" | "both";
            action?: "block" | "redact" | "flag";
            config?: {
                [key: string]: unknown;
            };
            environments?: string[] | null;
            priority?: number;
            enabled?: boolean;
            onError?: "allow" | "block";
        };
        GuardrailChange: {
            name?: string;
            type?: "regex" | "blocklist" | "pii" | "secrets" | "prompt_injection" | "max_length" | "json_schema" | "llm_judge";
            stage?: "input" | "output" | "both";
            action?: "block" | "redact" | "flag";
            config?: {
                [key: string]: unknown;
            };
            environments?: string[] | null;
            priority?: number;
            enabled?: boolean;
            onError?: "allow" | "block";
        };
        GuardrailPage: {
            guardrails: components["schemas"]["Guardrail"][];
            nextCursor: string | null;
        };
        GuardrailResult: {
            guardrail: string;
            type: "regex" | "blocklist" | "pii" | "secrets" | "prompt_injection" | "max_length" | "json_schema" | "llm_judge";
            triggered: boolean;
            action: "allow" | "flag" | "redact" | "block";
            matches: {
                start: number;
                end: number;
                label: string;
            }[];
            reason: string | null;
            latencyMs: number;
            truncated?: true;
            failed?: true;
            skipped?: true;
        };
        Impact: {
            before: {
                from: string;
                to: string;
                calls: number;
                errorRate: number | null;
                p95LatencyMs: number | null;
                costPerCall: number | null;
                avgScore: number | null;
            };
            after: {
                from: string;
                to: string;
                calls: number;
                errorRate: number | null;
                p95LatencyMs: number | null;
                costPerCall: number | null;
                avgScore: number | null;
            };
            checks: {
                metric: "errorRate" | "p95LatencyMs" | "costPerCall" | "avgScore";
                before: number | null;
                after: number | null;
                delta: number | null;
                ciLow: number | null;
                ciHigh: number | null;
                verdict: "better" | "worse" | "unchanged" | "inconclusive";
            }[];
        };
        ImportPreview: {
            items: {
                input: unknown;
                expectedOutput?: unknown;
                metadata: {
                    [key: string]: unknown;
                };
                externalId?: string;
            }[];
            encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
            delimiter: string | null;
            columns: string[];
        };
        ImportRefusal: {
            error: string;
            code: string;
            line?: number;
            column?: string | number;
            columns?: string[];
            details?: {
                path: string;
                message: string;
            }[];
        };
        Imported: {
            imported: number;
            updated?: number;
        };
        Incident: {
            id: string;
            projectId: string;
            ruleId: string;
            ruleName: string;
            type: "error-rate" | "latency" | "cost" | "quality" | "guardrail" | "ingest-stopped" | "model-lifecycle";
            scope: string | null;
            environment: string | null;
            status: "open" | "acknowledged" | "resolved";
            openedAt: string;
            acknowledgedAt: string | null;
            acknowledgedBy: string | null;
            resolvedAt: string | null;
            resolvedBy: string | null;
            resolution: string | null;
            value: number | null;
            peakValue: number | null;
            threshold: number | null;
            summary: string;
            sampleTraceIds: string[];
            changes: components["schemas"]["Change"][];
            events: {
                at: string;
                kind: "opened" | "reopened" | "notified" | "acknowledged" | "resolved";
                by: string | null;
                note: string | null;
            }[];
        };
        IncidentChange: {
            status: "open" | "acknowledged" | "resolved";
            note?: string;
        };
        IncidentPage: {
            incidents: components["schemas"]["Incident"][];
            nextCursor: string | null;
        };
        IngestAnswer: {
            accepted: number;
            rejected: components["schemas"]["LineError"][];
        };
        IngestClient: {
            client: string;
            version: string | null;
            kind: "sdk" | "otlp" | "http";
            scope?: string;
            lastSeenAt: string;
            accepted: number;
            rejected: number;
            reasons: {
                code: string;
                count: number;
            }[];
            dropped: {
                queue_full: number;
                too_old: number;
                refused: number;
            };
        };
        IngestHealth: {
            status: "healthy" | "stale" | "never";
            lastEventAt: string | null;
            lastSpanAt: string | null;
            eventsLastHour: number;
            eventsLastDay: number;
            rejectedLastHour: number;
            latestRejections: {
                at: string;
                code: string;
                error: string;
                count: number;
            }[];
            pendingEvents: number;
            pendingMs: number;
            search: {
                copied: number;
                total: number | null;
            } | null;
            clients: components["schemas"]["IngestClient"][];
            quota: {
                used: number;
                limit: number;
                resetsAt: string;
            };
        };
        IngestRefusal: {
            accepted?: number;
            rejected?: components["schemas"]["LineError"][];
            error: string;
            code?: string;
        };
        Invitation: {
            id: string;
            email: string;
            role: "owner" | "admin" | "member" | "viewer";
            createdAt: string;
            expiresAt: string;
            mail: "none" | "waiting" | "sent" | "failed";
        };
        InvitationBody: {
            email: string;
            role: "owner" | "admin" | "member" | "viewer";
        };
        InvitationCreated: {
            id: string;
            email: string;
            role: "owner" | "admin" | "member" | "viewer";
            createdAt: string;
            expiresAt: string;
            mail: "none" | "waiting" | "sent" | "failed";
            url: string | null;
        };
        InvitationPage: {
            invitations: components["schemas"]["Invitation"][];
            nextCursor: string | null;
        };
        InvitationSeen: {
            organizationName: string;
            email: string;
            role: "owner" | "admin" | "member" | "viewer";
            expiresAt: string;
        };
        ItemChange: {
            projectId?: string;
            input?: unknown;
            expectedOutput?: unknown;
            metadata?: {
                [key: string]: unknown;
            };
            externalId?: string | null;
            unset?: "expectedOutput"[];
        };
        ItemsBody: {
            projectId?: string;
            items?: {
                input?: unknown;
                expectedOutput?: unknown;
                metadata?: {
                    [key: string]: unknown;
                };
                externalId?: string;
                source?: {
                    traceId: string;
                    spanId?: string;
                };
            }[];
            input?: unknown;
            expectedOutput?: unknown;
            metadata?: {
                [key: string]: unknown;
            };
            externalId?: string;
            source?: {
                traceId: string;
                spanId?: string;
            };
        };
        Job: {
            id: string;
            type: string;
            status: "queued" | "running" | "completed" | "failed" | "cancelled";
            matched: number;
            done: number;
            failed: number;
            errors: components["schemas"]["JobError"][];
            createdAt: string;
            createdBy: string;
            completedAt: string | null;
            result: components["schemas"]["JobResult"] | null;
        };
        JobError: {
            id: string;
            error: string;
        };
        JobPage: {
            jobs: components["schemas"]["Job"][];
            nextCursor: string | null;
        };
        JobResult: {
            url?: string;
            datasetId?: string;
            expiresAt?: string;
            receipt?: components["schemas"]["UserDataReceipt"];
        };
        LabelsBody: {
            version: number;
            labels?: string[];
            remove?: string[];
            projectId?: string;
        };
        LatencyDay: {
            day: string;
            calls: number;
            unpriced_calls: number;
            partly_priced_calls: number;
            cost: number;
            errors: number;
            error_rate: number;
            avg_latency: number;
            p95_latency: number;
        };
        LifecycleCatalogue: {
            models: components["schemas"]["ListedEntry"][];
            reviewedOn: string;
        };
        LineError: {
            line: number;
            code: string;
            error: string;
        };
        LinkBody: {
            token: string;
        };
        ListedEntry: {
            model: string;
            provider: string | null;
            aliases: string[];
            announcedOn: string | null;
            retiresOn: string | null;
            certainty: ("firm" | "earliest") | null;
            replacement: string | null;
            source: string | null;
            checkedOn: string | null;
            override: boolean;
        };
        ListedMember: {
            userId: string;
            email: string;
            name: string;
            role: "owner" | "admin" | "member" | "viewer";
            createdAt: string;
            tokens: {
                count: number;
                lastUsedAt: string | null;
            } | null;
        };
        ListedPack: {
            id: string;
            projectId: string;
            framework: "soc2";
            from: string;
            to: string;
            createdAt: string;
            createdBy: string;
            controls: {
                controlId: string;
                title: string;
                status: "evidenced" | "partial" | "none";
            }[];
            audit: {
                from: {
                    seq: number;
                    hash: string;
                };
                to: {
                    seq: number;
                    hash: string;
                };
                entries: number;
            };
            sha256: string;
            signature: string;
            publicKey: string;
        };
        ListedPrompt: {
            id: string;
            projectId: string;
            name: string;
            version: number;
            type: "text" | "chat";
            prompt: string;
            config: {
                [key: string]: unknown;
            };
            labels: string[];
            tags: string[];
            folder: string | null;
            commitMessage: string;
            createdBy: string;
            createdAt: string;
            updatedAt: string;
            resolvedPrompt: string | unknown[] | null;
            proposal?: true;
            resolutionError?: string;
            familyLabels: {
                label: string;
                version: number;
            }[];
        };
        ListedScore: {
            scoreId: string;
            traceId: string | null;
            spanId: string | null;
            sessionId: string | null;
            evaluator: string;
            score: number | null;
            value: string | null;
            passed: boolean | null;
            label: string | null;
            comment: string | null;
            model: string | null;
            timestamp: string;
            source: "application" | "evaluator" | "annotation";
            author: string | null;
            metadata: {
                [key: string]: unknown;
            };
        };
        LoginBody: {
            email: string;
            password: string;
        };
        MappingPreview: {
            spans: {
                span: components["schemas"]["TraceSpan"];
                mapping: components["schemas"]["SpanMapping"];
                unmapped: {
                    in: "span" | "resource" | "event" | "field" | "ancestor";
                    key: string;
                }[];
            }[];
            rejectedSpans: number;
            errorMessage: string | null;
            truncated: boolean;
        };
        Member: {
            userId: string;
            email: string;
            name: string;
            role: "owner" | "admin" | "member" | "viewer";
            createdAt: string;
        };
        MemberBody: {
            email: string;
            role: "owner" | "admin" | "member" | "viewer";
            name?: string;
        };
        MemberChange: {
            role?: "owner" | "admin" | "member" | "viewer";
            name?: string;
        };
        MemberPage: {
            members: components["schemas"]["ListedMember"][];
            nextCursor: string | null;
        };
        Mention: {
            commentId: string;
            projectId: string;
            traceId: string;
            spanId: string | null;
            author: {
                id: string;
                name: string;
            };
            excerpt: string;
            createdAt: string;
            readAt: string | null;
        };
        MentionPage: {
            mentions: components["schemas"]["Mention"][];
            nextCursor: string | null;
        };
        MetricAnswer: {
            from: string;
            to: string;
            interval: ("minute" | "5m" | "15m" | "hour" | "6h" | "day" | "week" | "month") | null;
            columns: {
                name: string;
                type: "time" | "text" | "number";
                unit: ("count" | "usd" | "ms" | "ratio" | "tokens" | "score") | null;
            }[];
            rows: components["schemas"]["MetricRow"][];
            totals: {
                values: ((number | {
                    bins: {
                        from: number;
                        to: number;
                        count: number;
                    }[];
                }) | null)[];
                n: number;
                previous?: ((number | {
                    bins: {
                        from: number;
                        to: number;
                        count: number;
                    }[];
                }) | null)[];
            };
            other: {
                values: ((number | {
                    bins: {
                        from: number;
                        to: number;
                        count: number;
                    }[];
                }) | null)[];
                n: number;
                groups: number;
                rows?: {
                    time?: string;
                    partial?: true;
                    values: ((number | {
                        bins: {
                            from: number;
                            to: number;
                            count: number;
                        }[];
                    }) | null)[];
                    n: number;
                }[];
            } | null;
            truncated: boolean;
            source: "rollups" | "rows" | "both";
            ms: number;
        };
        MetricFields: {
            on: {
                calls: {
                    measures: {
                        name: string;
                        aggregations: ("sum" | "avg" | "min" | "max" | "p50" | "p75" | "p90" | "p95" | "p99" | "histogram")[];
                        unit: ("count" | "usd" | "ms" | "ratio" | "tokens" | "score") | null;
                        description: string;
                    }[];
                    dimensions: {
                        name: string;
                        type: string;
                        description: string;
                    }[];
                };
                spans: {
                    measures: {
                        name: string;
                        aggregations: ("sum" | "avg" | "min" | "max" | "p50" | "p75" | "p90" | "p95" | "p99" | "histogram")[];
                        unit: ("count" | "usd" | "ms" | "ratio" | "tokens" | "score") | null;
                        description: string;
                    }[];
                    dimensions: {
                        name: string;
                        type: string;
                        description: string;
                    }[];
                };
                traces: {
                    measures: {
                        name: string;
                        aggregations: ("sum" | "avg" | "min" | "max" | "p50" | "p75" | "p90" | "p95" | "p99" | "histogram")[];
                        unit: ("count" | "usd" | "ms" | "ratio" | "tokens" | "score") | null;
                        description: string;
                    }[];
                    dimensions: {
                        name: string;
                        type: string;
                        description: string;
                    }[];
                };
            };
        };
        MetricQueryBody: {
            [key: string]: unknown;
        };
        MetricRow: {
            time?: string;
            partial?: true;
            values: ((number | {
                bins: {
                    from: number;
                    to: number;
                    count: number;
                }[];
            }) | null)[];
            n: number;
            low?: (number | null)[];
            high?: (number | null)[];
            previous?: ((number | {
                bins: {
                    from: number;
                    to: number;
                    count: number;
                }[];
            }) | null)[];
        } & {
            [key: string]: unknown;
        };
        ModelConnection: {
            id: string;
            name: string;
            baseUrl: string;
            model: string;
            hasKey: boolean;
            createdAt: string;
            updatedAt: string;
        };
        ModelConnectionBody: {
            name: string;
            baseUrl: string;
            model: string;
            apiKey?: string | null;
        };
        ModelConnectionChange: {
            name?: string;
            baseUrl?: string;
            model?: string;
            apiKey?: string | null;
        };
        ModelConnectionPage: {
            modelConnections: components["schemas"]["ModelConnection"][];
            nextCursor: string | null;
        };
        ModelDetail: {
            model: string;
            found: boolean;
            summary: components["schemas"]["ModelSummary"] | null;
            timeline: components["schemas"]["TimelinePoint"][];
            errorBreakdown: {
                error_code: string;
                count: number;
            }[];
            usage: {
                agents: components["schemas"]["AgentUsage"][];
                operations: components["schemas"]["OperationUsage"][];
            };
            quality: components["schemas"]["QualityBlock"];
            frontier: {
                thisModel: components["schemas"]["FrontierPoint"] | null;
                points: components["schemas"]["FrontierPoint"][];
            };
        };
        ModelList: {
            models: {
                model: string;
                provider: string | null;
                total_calls: number;
                unpriced_calls: number;
                partly_priced_calls: number;
                total_cost: number;
                avg_cost_per_call: number;
                avg_cost_per_success: number | null;
                p50_latency: number;
                p95_latency: number;
                p99_latency: number;
                avg_ttft: number | null;
                error_count: number;
                error_rate: number;
                total_input_tokens: number;
                total_output_tokens: number;
                total_cached_tokens: number;
                total_reasoning_tokens: number;
                cache_hit_rate: number | null;
                trace_count: number;
                unique_agents: number;
                unique_operations: number;
                first_seen: string | null;
                last_seen: string | null;
                share_of_calls: number | null;
                share_of_cost: number | null;
                avg_eval_score: number | null;
                eval_count: number;
            }[];
            unnamed: {
                calls: number;
                errors: number;
            };
        };
        ModelSummary: {
            model: string;
            provider: string | null;
            total_calls: number;
            unpriced_calls: number;
            partly_priced_calls: number;
            total_cost: number;
            avg_cost_per_call: number;
            avg_cost_per_success: number | null;
            p50_latency: number;
            p95_latency: number;
            p99_latency: number;
            avg_ttft: number | null;
            error_count: number;
            error_rate: number;
            total_input_tokens: number;
            total_output_tokens: number;
            total_cached_tokens: number;
            total_reasoning_tokens: number;
            cache_hit_rate: number | null;
            trace_count: number;
            unique_agents: number;
            unique_operations: number;
            first_seen: string | null;
            last_seen: string | null;
            share_of_calls: number | null;
            share_of_cost: number | null;
        };
        MovedFolder: {
            success: boolean;
            folder: string | null;
            updatedCount: number;
        };
        OneBatchRun: {
            batchRun: components["schemas"]["BatchRun"];
        };
        OneJob: {
            job: components["schemas"]["Job"];
        };
        OperationUsage: {
            operation: string;
            calls: number;
            cost: number;
            unpriced_calls: number;
            partly_priced_calls: number;
            avg_latency: number;
            error_rate: number;
        };
        Organization: {
            id: string;
            slug: string;
            name: string;
            plan: "free" | "pro" | "team" | "scale";
            role: "owner" | "admin" | "member" | "viewer";
            sharedLinks: boolean;
            createdAt: string;
        };
        OrganizationBody: {
            name: string;
        };
        OrganizationChange: {
            name?: string;
            sharedLinks?: boolean;
        };
        OrganizationPage: {
            organizations: components["schemas"]["Organization"][];
            nextCursor: string | null;
        };
        OrganizationPolicies: {
            projects: {
                projectId: string;
                name: string;
                slug: string;
                revision: number;
                counts: {
                    guardrails: number;
                    environments: number;
                };
                drift: {
                    kind: "Environment" | "Guardrail";
                    name: string;
                    reason: "detached" | "differs";
                }[];
                unmanaged: {
                    kind: "Environment" | "Guardrail";
                    name: string;
                }[];
                lastApply: {
                    at: string;
                    by: string;
                    revision: number;
                } | null;
            }[];
            truncated?: true;
        };
        OtlpError: {
            error: string;
            code: string;
            message: string;
        };
        OtlpPartialSuccess: {
            partialSuccess: {
                rejectedSpans: string;
                errorMessage: string;
            };
        };
        Outcome: {
            outcomeId: string;
            traceId: string;
            kind: string;
            value: number | null;
            currency: string;
            success: boolean | null;
            occurredAt: string;
            idempotencyKey: string | null;
            metadata: unknown;
        };
        OutcomeKinds: {
            kinds: {
                kind: string;
                count: number;
                firstSeen: string;
                lastSeen: string;
            }[];
            truncated?: true;
        };
        OutcomeSummary: {
            totals: {
                kind: string;
                currency: string;
                count: number;
                successCount: number;
                judgedCount: number;
                successRate: number | null;
                value: number;
                cost: number;
                unpricedCalls: number;
                partlyPricedCalls: number;
                costPerOutcome: number | null;
                costPerSuccess: number | null;
            }[];
            timeline: {
                day: string;
                kind: string;
                currency: string;
                count: number;
                successCount: number;
                value: number;
            }[];
            byAgent: {
                agent: string;
                kind: string;
                currency: string;
                count: number;
                successCount: number;
                value: number;
                cost: number;
                unpricedCalls: number;
                partlyPricedCalls: number;
                costPerSuccess: number | null;
            }[];
            byModel: {
                model: string;
                kind: string;
                currency: string;
                count: number;
                successCount: number;
                value: number;
                cost: number;
                unpricedCalls: number;
                partlyPricedCalls: number;
                costPerSuccess: number | null;
            }[];
            truncated?: true;
        };
        OutcomesAnswer: {
            accepted: number;
            rejected: {
                index: number;
                code: string;
                error: string;
            }[];
        };
        OutcomesRefusal: {
            accepted?: number;
            rejected?: {
                index: number;
                code: string;
                error: string;
            }[];
            error: string;
            code?: string;
            details?: components["schemas"]["ErrorDetail"][];
        };
        OutlinedSpan: {
            traceId?: string;
            spanId: string;
            parentSpanId?: string | null;
            depth: number;
            name: string;
            kind: "llm" | "embedding" | "agent" | "tool" | "retriever" | "chain" | "guardrail" | "evaluator" | "span";
            startTime: string;
            endTime?: string | null;
            durationMs?: number | null;
            model?: string | null;
            requestModel?: string | null;
            provider?: string | null;
            agentName?: string | null;
            operation?: string | null;
            usage?: components["schemas"]["SpanUsage"] | null;
            costUsd?: number | null;
            costStatus: "provided" | "priced" | "partly_priced" | "unpriced";
            timeToFirstTokenMs?: number | null;
            status?: ("ok" | "error") | null;
            errorCode?: string | null;
            errorMessage?: string | null;
            sessionId?: string | null;
            userId?: string | null;
            environment?: string | null;
            release?: string | null;
            service?: string | null;
            tags?: string[];
            promptName?: string | null;
            promptVersion?: (string | number) | null;
            promptVariables?: unknown;
            source: "native" | "otlp";
            contentFrom?: string | null;
            input?: unknown;
            output?: unknown;
            metadata?: unknown;
            attributes?: unknown;
            resourceAttributes?: unknown;
            scope?: unknown;
            events?: unknown;
            links?: unknown;
            traceState?: string;
            inputPreview?: string;
            outputPreview?: string;
        };
        OverrideBody: {
            retiresOn: string;
            provider?: string;
            replacement?: string;
            source?: string;
        };
        Overview: {
            totals: {
                calls: number;
                unpriced_calls: number;
                partly_priced_calls: number;
                cost: number;
                errors: number;
                error_rate: number;
                avg_latency: number;
                p50_latency: number;
                p95_latency: number;
                eval_count: number;
                avg_eval_score: number | null;
                input_tokens: number;
                output_tokens: number;
                cached_tokens: number;
                models: number;
                agents: number;
                timeline: components["schemas"]["LatencyDay"][];
            };
            models: {
                calls: number;
                unpriced_calls: number;
                partly_priced_calls: number;
                cost: number;
                errors: number;
                error_rate: number;
                avg_latency: number;
                timeline: components["schemas"]["LatencyDay"][];
                eval_count: number;
                avg_eval_score: number | null;
                trend: {
                    day: string;
                    eval_count: number;
                    avg_score: number;
                }[];
                model: string;
                p50_latency: number;
                p95_latency: number;
            }[];
            other_models: {
                calls: number;
                unpriced_calls: number;
                partly_priced_calls: number;
                cost: number;
                errors: number;
                error_rate: number;
                avg_latency: number;
                timeline: components["schemas"]["CallDay"][];
                eval_count: number;
                avg_eval_score: number | null;
                trend: {
                    day: string;
                    eval_count: number;
                    avg_score: number;
                }[];
                count: number;
            } | null;
            agents: {
                agent_name: string;
                calls: number;
                unpriced_calls: number;
                partly_priced_calls: number;
                cost: number;
                errors: number;
                error_rate: number;
                avg_latency: number;
                timeline: components["schemas"]["CallDay"][];
            }[];
            other_agents: {
                count: number;
                calls: number;
                unpriced_calls: number;
                partly_priced_calls: number;
                cost: number;
                errors: number;
                error_rate: number;
                avg_latency: number;
                timeline: components["schemas"]["CallDay"][];
            } | null;
            unpriced: {
                model: string;
                unpriced_calls: number;
                partly_priced_calls: number;
            }[];
            unnamed: {
                calls: number;
                errors: number;
            };
        };
        OwnPrice: {
            model: string;
            inputPerMillion: number;
            outputPerMillion: number;
            cachedInputPerMillion: number | null;
            cacheWritePerMillion: number | null;
            from: string | null;
            updatedAt: string;
            updatedBy: string;
        };
        PackBody: {
            framework: "soc2";
            from: string;
            to: string;
        };
        PackControl: {
            controlId: string;
            title: string;
            status: "evidenced" | "partial" | "none";
            evidence: components["schemas"]["Evidence"][];
        };
        PackPage: {
            evidencePacks: components["schemas"]["ListedPack"][];
            nextCursor: string | null;
        };
        PackVerification: {
            valid: boolean;
            checks: {
                name: "content_hash" | "signature" | "key" | "audit_chain";
                ok: boolean;
                detail: string;
            }[];
        };
        PasswordBody: {
            currentPassword: string;
            newPassword: string;
        };
        PlanBody: {
            files: components["schemas"]["PolicyFile"][];
            replay?: {
                hours: number;
            };
        };
        PlannedChange: {
            action: "create" | "update" | "remove" | "none";
            kind: "Environment" | "Guardrail";
            name: string;
            path: string | null;
            adopt: boolean;
            detached: boolean;
            fields: {
                path: string;
                before: unknown;
                after: unknown;
            }[];
        };
        Policy: {
            id: string;
            kind: "Environment" | "Guardrail";
            name: string;
            path: string | null;
            sha256: string | null;
            managedBy: "dashboard" | "code";
            detached: boolean;
            updatedAt: string;
            updatedBy: string;
        };
        PolicyBundle: {
            version: number;
            etag: string;
            compiledAt: string;
            environment: string | null;
            unknownEnvironment?: true;
            guardrails: components["schemas"]["BundledGuardrail"][];
        };
        PolicyFault: {
            path: string;
            line: number;
            column: number;
            message: string;
        };
        PolicyFile: {
            path: string;
            content: string;
        };
        PolicyList: {
            policies: components["schemas"]["Policy"][];
            revision: number;
        };
        PolicyPlan: {
            planId: string;
            revision: number;
            expiresAt: string;
            changes: components["schemas"]["PlannedChange"][];
            summary: components["schemas"]["PolicySummary"];
            replay?: components["schemas"]["Replay"];
        };
        PolicyRevision: {
            revision: number;
            at: string;
            by: string;
            source: "code" | "dashboard";
            summary: components["schemas"]["PolicySummary"];
            auditLogId: string;
        };
        PolicyRevisionPage: {
            revisions: components["schemas"]["PolicyRevision"][];
            nextCursor: string | null;
        };
        PolicySummary: {
            create: number;
            update: number;
            remove: number;
            none: number;
        };
        PriceBody: {
            inputPerMillion: number;
            outputPerMillion: number;
            cachedInputPerMillion?: number | null;
            cacheWritePerMillion?: number | null;
            from?: (string) | null;
        };
        PricePage: {
            prices: components["schemas"]["OwnPrice"][];
            nextCursor: string | null;
        };
        Project: {
            id: string;
            organizationId: string;
            name: string;
            slug: string;
            createdAt: string;
        };
        ProjectBody: {
            name: string;
        };
        ProjectPage: {
            projects: components["schemas"]["Project"][];
            nextCursor: string | null;
        };
        PromptBody: {
            name: string;
            prompt: string | unknown[];
            type?: "text" | "chat";
            config?: {
                [key: string]: unknown;
            };
            labels?: string[];
            tags?: string[];
            folder?: string | null;
            commitMessage?: string;
            projectId?: string;
        };
        PromptMetrics: {
            versions: {
                version: number;
                calls: number;
                costUsd: number;
                unpricedCalls: number;
                partlyPricedCalls: number;
                avgLatencyMs: number;
                errorRate: number;
                avgScore: number | null;
                evalCount: number;
            }[];
        };
        PromptPage: {
            prompts: components["schemas"]["ListedPrompt"][];
            nextCursor: string | null;
        };
        PromptVersion: {
            id: string;
            projectId: string;
            name: string;
            version: number;
            type: "text" | "chat";
            prompt: string;
            config: {
                [key: string]: unknown;
            };
            labels: string[];
            tags: string[];
            folder: string | null;
            commitMessage: string;
            createdBy: string;
            createdAt: string;
            updatedAt: string;
            resolvedPrompt: string | unknown[] | null;
            proposal?: true;
            resolutionError?: string;
        };
        PromptVersions: {
            versions: components["schemas"]["PromptVersion"][];
        };
        Pulled: {
            files: components["schemas"]["PolicyFile"][];
            revision: number;
        };
        QualityBlock: {
            hasData: boolean;
            overall: {
                eval_count: number;
                avg_score: number;
                pass_count: number;
                fail_count: number;
                pass_rate: number | null;
            } | null;
            byEvaluator: {
                evaluator_slug: string;
                eval_count: number;
                avg_score: number;
                pass_count: number;
                fail_count: number;
            }[];
            trend: {
                day: string;
                eval_count: number;
                avg_score: number;
            }[];
        };
        QueuedDeliveries: {
            deliveries: string[];
        };
        Replay: {
            from: string;
            to: string;
            spans: number;
            truncated?: boolean;
            byGuardrail: {
                guardrail: string;
                triggeredBefore: number;
                triggeredAfter: number;
                blockedBefore: number;
                blockedAfter: number;
                users: number;
                examples: {
                    traceId: string;
                    spanId: string;
                    stage: "input" | "output";
                    labels: string[];
                }[];
            }[];
            totals: {
                blockedBefore: number;
                blockedAfter: number;
            };
        };
        ReportAnswer: {
            accepted: number;
            rejected: {
                index: number;
                code: string;
                error: string;
            }[];
        };
        ReportBody: {
            projectId?: string;
            reports: {
                guardrail: string;
                stage: "input" | "output";
                environment?: string | null;
                at: string;
                checks: number;
                flagged: number;
                redacted: number;
                blocked: number;
                failed: number;
                reportId: string;
            }[];
        };
        RepriceBody: {
            from: string;
            to: string;
            models?: string[];
            dryRun?: boolean;
        };
        Repricing: {
            id: string;
            status: "queued" | "running" | "completed" | "failed";
            spans: number;
            changed: number;
            costBefore: number;
            costAfter: number;
            from: string;
            to: string;
            models: string[] | null;
            dryRun: boolean;
            createdAt: string;
            createdBy: string;
            completedAt: string | null;
            error: string | null;
        };
        ResetBody: {
            token: string;
            password: string;
        };
        Rotated: {
            id: string;
            key: string;
            previousSecretExpiresAt: string;
        };
        Run: {
            id: string;
            datasetId: string;
            name: string;
            metadata: {
                [key: string]: unknown;
            };
            createdAt: string;
            updatedAt: string;
            aggregates: components["schemas"]["RunAggregates"];
        };
        RunAggregates: {
            itemCount: number;
            errorRate: number;
            latencyP50Ms: number | null;
            latencyP95Ms: number | null;
            costUsd: number;
            unpricedCalls: number;
            partlyPricedCalls: number;
            byEvaluator: {
                evaluator: string;
                avgScore: number | null;
                passRate: number | null;
                count: number;
                failed: number;
                skipped: number;
                waiting: number;
            }[];
        };
        RunBody: {
            projectId?: string;
            name: string;
            metadata?: {
                [key: string]: unknown;
            };
        };
        RunDetail: {
            id: string;
            datasetId: string;
            name: string;
            metadata: {
                [key: string]: unknown;
            };
            createdAt: string;
            updatedAt: string;
            aggregates: components["schemas"]["RunAggregates"];
            items: {
                id: string;
                runId: string;
                datasetItemId: string;
                traceId: string | null;
                output: unknown;
                latencyMs: number | null;
                costUsd: number | null;
                error: (string | true) | null;
                createdAt: string;
                unpricedCalls: number;
                partlyPricedCalls: number;
                scores: components["schemas"]["RunScore"][];
            }[];
            nextCursor: string | null;
        };
        RunItemsAdded: {
            items: {
                id: string;
                runId: string;
                datasetItemId: string;
                traceId: string | null;
                output: unknown;
                latencyMs: number | null;
                costUsd: number | null;
                error: (string | true) | null;
                createdAt: string;
            }[];
        };
        RunItemsBody: {
            projectId?: string;
            items: {
                datasetItemId: string;
                traceId?: string | null;
                output?: unknown;
                latencyMs?: number | null;
                costUsd?: number | null;
                error?: (string | boolean) | null;
            }[];
        };
        RunPage: {
            runs: components["schemas"]["Run"][];
            nextCursor: string | null;
        };
        RunScore: {
            evaluator: string;
            score: number;
            passed: boolean | null;
            comment: string | null;
        };
        ScanAnswer: {
            raised: number;
            open: number;
        };
        Scenario: {
            id: string;
            projectId: string;
            name: string;
            description: string | null;
            target: {
                type: "http";
                url: string;
                method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                headers: {
                    [key: string]: string;
                };
                secrets?: {
                    [key: string]: string;
                };
                body: unknown;
                outputPath: string;
                timeoutMs: number;
            } | {
                type: "prompt";
                promptName: string;
                label: string;
                connection: string;
                model?: string;
            };
            datasetId: string;
            evaluators: string[];
            referenceMatch: {
                mode: "exact" | "fuzzy";
            } | null;
            newestRun: {
                id: string;
                status: "queued" | "running" | "completed" | "failed" | "cancelled";
                createdAt: string;
            } | null;
            createdAt: string;
            updatedAt: string;
        };
        ScenarioBody: {
            name: string;
            description?: string | null;
            target: components["schemas"]["ScenarioTarget"];
            datasetId: string;
            evaluators?: string[];
            referenceMatch?: {
                mode: "exact" | "fuzzy";
            } | null;
        };
        ScenarioChange: {
            name?: string;
            description?: string | null;
            target?: components["schemas"]["ScenarioTarget"];
            datasetId?: string;
            evaluators?: string[];
            referenceMatch?: {
                mode: "exact" | "fuzzy";
            } | null;
        };
        ScenarioPage: {
            scenarios: components["schemas"]["Scenario"][];
            nextCursor: string | null;
        };
        ScenarioTarget: {
            type: "http";
            url: string;
            method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
            headers?: {
                [key: string]: string;
            };
            secrets?: {
                [key: string]: string;
            };
            body?: unknown;
            outputPath?: string;
            timeoutMs?: number;
        } | {
            type: "prompt";
            promptName: string;
            label?: string;
            connection: string;
            model?: string;
        };
        Score: {
            scoreId: string;
            traceId: string | null;
            spanId: string | null;
            sessionId: string | null;
            evaluator: string;
            score: number | null;
            passed: boolean | null;
            label: string | null;
            comment: string | null;
            model: string | null;
            timestamp: string;
            source: string;
            recordedBy?: {
                type: "user" | "api_key";
                id: string;
                name: string;
            };
        };
        ScoreBody: {
            scoreId?: string | null;
            traceId?: string | null;
            spanId?: string | null;
            sessionId?: string | null;
            evaluator: string;
            score?: (number | boolean) | null;
            passed?: boolean | null;
            label?: string | null;
            comment?: string | null;
            model?: string | null;
            timestamp?: string | null;
        };
        ScoreChange: {
            score?: (number | boolean) | null;
            passed?: boolean | null;
            label?: string | null;
            comment?: string | null;
        };
        ScorePage: {
            scores: components["schemas"]["ListedScore"][];
            nextCursor: string | null;
        };
        ScoreSummary: {
            evaluators: components["schemas"]["EvaluatorSummary"][];
            truncated: boolean;
        };
        SelectionAction: {
            type: "delete";
        } | {
            type: "addToDataset";
            datasetId: string;
            expectedOutput?: "output" | "none";
        } | {
            type: "addTags";
            tags: string[];
        } | {
            type: "removeTags";
            tags: string[];
        } | {
            type: "evaluate";
            evaluators: string[];
            onlyUnscored?: boolean;
            maxItems?: number;
            maxCostUsd?: number;
        } | {
            type: "export";
            format: "jsonl" | "csv";
            payloads?: boolean;
        };
        SelectionBody: {
            on: "spans" | "traces";
            ids?: (string | {
                traceId: string;
                spanId: string;
            })[];
            range?: string;
            from?: string;
            to?: string;
            filter?: string;
            view?: string;
            except?: (string | {
                traceId: string;
                spanId: string;
            })[];
            action: components["schemas"]["SelectionAction"];
        };
        Session: {
            sessionId: string;
            userId: string | null;
            environments: string[];
            firstSeen: string;
            lastSeen: string;
            traceCount: number;
            spanCount: number;
            callCount: number;
            errorCount: number;
            unpricedCalls: number;
            partlyPricedCalls: number;
            costUsd: number;
            inputTokens: number;
            outputTokens: number;
            cachedTokens: number;
            reasoningTokens: number;
        };
        SessionDetail: {
            session: components["schemas"]["Session"];
            traces: components["schemas"]["TraceSummary"][];
            scores: components["schemas"]["Score"][];
            truncated?: true;
        };
        SessionPage: {
            sessions: components["schemas"]["Session"][];
            nextCursor: string | null;
        };
        Share: {
            id: string;
            payloads: boolean;
            redact: boolean;
            expiresAt: string;
            views: number;
        };
        ShareCreated: {
            id: string;
            url: string;
            expiresAt: string;
        };
        ShareList: {
            shares: components["schemas"]["Share"][];
        };
        SharedSpan: {
            spanId: string;
            parentSpanId: string | null;
            depth: number;
            name: string;
            kind: "llm" | "embedding" | "agent" | "tool" | "retriever" | "chain" | "guardrail" | "evaluator" | "span";
            startTime: string;
            endTime: string | null;
            durationMs: number | null;
            model: string | null;
            requestModel: string | null;
            provider: string | null;
            agentName: string | null;
            operation: string | null;
            usage: components["schemas"]["SpanUsage"] | null;
            costUsd: number | null;
            costStatus: "provided" | "priced" | "partly_priced" | "unpriced";
            timeToFirstTokenMs: number | null;
            status: ("ok" | "error") | null;
            errorCode: string | null;
            errorMessage?: string | null;
            input?: unknown;
            output?: unknown;
            truncated?: true;
        };
        SharedTrace: {
            trace: {
                traceId: string;
                name: string | null;
                startTime: string;
                endTime: string | null;
                durationMs: number | null;
                status: "ok" | "error";
                models: string[];
                agents: string[];
                spanCount: number;
                callCount: number;
                errorCount: number;
                unpricedCalls: number;
                partlyPricedCalls: number;
                costUsd: number;
                inputTokens: number;
                outputTokens: number;
                cachedTokens: number;
                reasoningTokens: number;
                input?: unknown;
                output?: unknown;
                inputFrom?: string | null;
                outputFrom?: string | null;
            };
            spans: components["schemas"]["SharedSpan"][];
            expiresAt: string;
            truncated?: true;
        };
        SpanCounts: {
            count: number;
            calls: number;
            unpricedCalls: number;
            partlyPricedCalls: number;
            costUsd: number;
            errors: number;
            bucketMs: number;
            buckets: {
                start: string;
                count: number;
                errors: number;
                costUsd: number;
            }[];
        };
        SpanList: {
            spans: components["schemas"]["TraceSpan"][];
            truncated?: true;
        };
        SpanMapping: {
            spanId: string;
            source: "native" | "otlp";
            fields: {
                field: string;
                convention: string;
                attributes: {
                    in: "span" | "resource" | "event" | "field" | "ancestor";
                    key: string;
                }[];
                value: unknown;
            }[];
        };
        SpanPage: {
            spans: {
                traceId: string;
                spanId: string;
                parentSpanId: string | null;
                name: string;
                kind: "llm" | "embedding" | "agent" | "tool" | "retriever" | "chain" | "guardrail" | "evaluator" | "span";
                startTime: string;
                endTime: string | null;
                durationMs: number | null;
                timeToFirstTokenMs: number | null;
                status: ("ok" | "error") | null;
                errorCode: string | null;
                errorMessage: string | null;
                model: string | null;
                provider: string | null;
                agentName: string | null;
                operation: string | null;
                service: string | null;
                environment: string | null;
                release: string | null;
                sessionId: string | null;
                userId: string | null;
                tags: string[];
                promptName: string | null;
                promptVersion: (string | number) | null;
                usage: components["schemas"]["SpanUsage"] | null;
                costUsd: number | null;
                costStatus: "provided" | "priced" | "partly_priced" | "unpriced";
                isCall: boolean;
                inputPreview: string | null;
                outputPreview: string | null;
                scores: {
                    evaluator: string;
                    score: number | null;
                    passed: boolean | null;
                    label: string | null;
                }[];
                trace: {
                    name: string | null;
                    status: "ok" | "error";
                    sessionId: string | null;
                    userId: string | null;
                };
                columns?: {
                    [key: string]: string[];
                };
            }[];
            nextCursor: string | null;
        };
        SpanUsage: {
            inputTokens?: number;
            outputTokens?: number;
            cachedTokens?: number;
            cacheWriteTokens?: number;
            reasoningTokens?: number;
            details?: {
                [key: string]: number;
            };
        };
        StartedFixProposal: {
            id: string;
            status: "queued";
        };
        StartedRepricing: {
            id: string;
            status: "queued" | "running" | "completed" | "failed";
        };
        TagsBody: {
            tags: string[];
            projectId?: string;
        };
        TimelinePoint: {
            day: string;
            calls: number;
            cost: number;
            unpriced_calls: number;
            partly_priced_calls: number;
            avg_latency: number;
            p95_latency: number;
            avg_ttft: number | null;
            errors: number;
            error_rate: number;
            cached_tokens: number;
            input_tokens: number;
            output_tokens: number;
        };
        Token: {
            id: string;
            name: string;
            prefix: string;
            createdAt: string;
            expiresAt: string | null;
            lastUsedAt: string | null;
        };
        TokenBody: {
            name: string;
            expiresAt?: string;
        };
        TokenCreated: {
            id: string;
            name: string;
            prefix: string;
            createdAt: string;
            expiresAt: string | null;
            lastUsedAt: string | null;
            token: string;
        };
        TokenPage: {
            tokens: components["schemas"]["Token"][];
            nextCursor: string | null;
        };
        TraceComparison: {
            a: components["schemas"]["TraceSummary"];
            b: components["schemas"]["TraceSummary"];
            deltas: {
                durationMs: number | null;
                costUsd: number;
                spanCount: number;
                callCount: number;
                inputTokens: number;
                outputTokens: number;
                errorCount: number;
            };
            rows: {
                match: "same" | "changed" | "a" | "b";
                a: components["schemas"]["OutlinedSpan"] | null;
                b: components["schemas"]["OutlinedSpan"] | null;
                changes: ("status" | "errorCode" | "model" | "input" | "output" | "usage" | "costUsd" | "durationMs" | "promptVersion")[];
                firstDifference?: true;
            }[];
            truncated: boolean;
        };
        TraceCounts: {
            bucketMs: number;
            buckets: {
                start: string;
                traces: number;
                errors: number;
                costUsd: number;
            }[];
        };
        TraceDetail: {
            trace: {
                traceId: string;
                name: string | null;
                startTime: string;
                endTime: string | null;
                durationMs: number | null;
                status: "ok" | "error";
                sessionId: string | null;
                userId: string | null;
                environment: string | null;
                release: string | null;
                tags: string[];
                models: string[];
                agents: string[];
                spanCount: number;
                callCount: number;
                errorCount: number;
                unpricedCalls: number;
                partlyPricedCalls: number;
                costUsd: number;
                inputTokens: number;
                outputTokens: number;
                cachedTokens: number;
                reasoningTokens: number;
                inputPreview: string | null;
                outputPreview: string | null;
                timestamp: string;
                input: unknown;
                output: unknown;
                metadata: unknown;
                inputFrom: string | null;
                outputFrom: string | null;
            };
            spans: components["schemas"]["TraceSpan"][];
            scores: components["schemas"]["Score"][];
            outcomes: components["schemas"]["Outcome"][];
            truncated?: true;
        };
        TraceOutline: {
            trace: {
                traceId: string;
                name: string | null;
                startTime: string;
                endTime: string | null;
                durationMs: number | null;
                status: "ok" | "error";
                sessionId: string | null;
                userId: string | null;
                environment: string | null;
                release: string | null;
                tags: string[];
                models: string[];
                agents: string[];
                spanCount: number;
                callCount: number;
                errorCount: number;
                unpricedCalls: number;
                partlyPricedCalls: number;
                costUsd: number;
                inputTokens: number;
                outputTokens: number;
                cachedTokens: number;
                reasoningTokens: number;
                inputPreview: string | null;
                outputPreview: string | null;
                timestamp: string;
                inputFrom: string | null;
                outputFrom: string | null;
            };
            spans: components["schemas"]["OutlinedSpan"][];
            scores: components["schemas"]["Score"][];
            outcomes: components["schemas"]["Outcome"][];
            truncated?: true;
        };
        TracePage: {
            traces: {
                traceId: string;
                name: string | null;
                startTime: string;
                endTime: string | null;
                durationMs: number | null;
                status: "ok" | "error";
                sessionId: string | null;
                userId: string | null;
                environment: string | null;
                release: string | null;
                tags: string[];
                models: string[];
                agents: string[];
                spanCount: number;
                callCount: number;
                errorCount: number;
                unpricedCalls: number;
                partlyPricedCalls: number;
                costUsd: number;
                inputTokens: number;
                outputTokens: number;
                cachedTokens: number;
                reasoningTokens: number;
                inputPreview: string | null;
                outputPreview: string | null;
                error: {
                    code: string | null;
                    message: string | null;
                } | null;
                columns?: {
                    [key: string]: string[];
                };
            }[];
            nextCursor: string | null;
        };
        TracePayloads: {
            input: unknown;
            output: unknown;
            metadata: unknown;
        };
        TraceSpan: {
            traceId: string;
            spanId: string;
            parentSpanId: string | null;
            depth: number;
            name: string;
            kind: "llm" | "embedding" | "agent" | "tool" | "retriever" | "chain" | "guardrail" | "evaluator" | "span";
            startTime: string;
            endTime: string | null;
            durationMs: number | null;
            model: string | null;
            requestModel: string | null;
            provider: string | null;
            agentName: string | null;
            operation: string | null;
            usage: components["schemas"]["SpanUsage"] | null;
            costUsd: number | null;
            costStatus: "provided" | "priced" | "partly_priced" | "unpriced";
            timeToFirstTokenMs: number | null;
            status: ("ok" | "error") | null;
            errorCode: string | null;
            errorMessage: string | null;
            sessionId: string | null;
            userId: string | null;
            environment: string | null;
            release: string | null;
            service: string | null;
            tags: string[];
            promptName: string | null;
            promptVersion: (string | number) | null;
            promptVariables?: unknown;
            source: "native" | "otlp";
            contentFrom: string | null;
            input: unknown;
            output: unknown;
            metadata: unknown;
            attributes: unknown;
            resourceAttributes?: unknown;
            scope?: unknown;
            events?: unknown;
            links?: unknown;
            traceState?: string;
        };
        TraceSummary: {
            traceId: string;
            name: string | null;
            startTime: string;
            endTime: string | null;
            durationMs: number | null;
            status: "ok" | "error";
            sessionId: string | null;
            userId: string | null;
            environment: string | null;
            release: string | null;
            tags: string[];
            models: string[];
            agents: string[];
            spanCount: number;
            callCount: number;
            errorCount: number;
            unpricedCalls: number;
            partlyPricedCalls: number;
            costUsd: number;
            inputTokens: number;
            outputTokens: number;
            cachedTokens: number;
            reasoningTokens: number;
            inputPreview: string | null;
            outputPreview: string | null;
        };
        Tried: {
            status: "passed" | "failed" | "error";
            request: {
                method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                url: string;
                headers: {
                    [key: string]: string;
                };
                body: {
                    text: string;
                    bytes: number;
                    truncated: boolean;
                } | null;
                attempts: number;
            } | null;
            response: {
                status: number;
                url: string;
                headers: {
                    [key: string]: string;
                };
                body: {
                    text: string;
                    bytes: number;
                    truncated: boolean;
                };
                latencyMs: number;
            } | null;
            call: {
                promptName: string;
                promptVersion: number;
                model: string | null;
                messages: {
                    role: string;
                    content: {
                        text: string;
                        bytes: number;
                        truncated: boolean;
                    };
                }[];
                ignored: string[];
                inputTokens: number | null;
                outputTokens: number | null;
            } | null;
            output: {
                text: string;
                bytes: number;
                truncated: boolean;
            } | null;
            error: string | null;
            errorKind: ("target" | "evaluator") | null;
            latencyMs: number | null;
            costUsd: number | null;
            referenceMatch: boolean | null;
            scores: components["schemas"]["BatchItemScore"][];
        };
        TryBody: {
            target: components["schemas"]["ScenarioTarget"];
            evaluators?: string[];
            referenceMatch?: {
                mode: "exact" | "fuzzy";
            } | null;
            scenarioId?: string;
            item?: {
                input?: unknown;
                expectedOutput?: unknown;
                metadata?: {
                    [key: string]: unknown;
                };
            };
            datasetItemId?: string;
        };
        UsedByScenarios: {
            error: string;
            code?: string;
            details?: components["schemas"]["ErrorDetail"][];
            scenarios: string[];
        };
        User: {
            id: string;
            email: string;
            name: string;
        };
        UserDataReceipt: {
            userIdSha256: string;
            traces: number;
            spans: number;
            scores: number;
            outcomes: number;
            until: string;
            sha256: string;
        };
        ValidateBody: {
            files: components["schemas"]["PolicyFile"][];
        };
        Validation: {
            valid: boolean;
            errors: components["schemas"]["PolicyFault"][];
        };
        VersionPage: {
            versions: components["schemas"]["PromptVersion"][];
            nextCursor: string | null;
        };
        View: {
            id: string;
            name: string;
            on: "spans" | "traces" | "sessions";
            filter: string;
            columns: string[];
            sort: string | null;
            range: string | null;
            visibility: "private" | "project";
            pinned: boolean;
            createdBy: string;
            createdAt: string;
            updatedAt: string;
        };
        ViewBody: {
            name: string;
            on: "spans" | "traces" | "sessions";
            filter?: string;
            columns?: string[];
            sort?: string | null;
            range?: string | null;
            visibility?: "private" | "project";
            pinned?: boolean;
        };
        ViewChange: {
            name?: string;
            on?: "spans" | "traces" | "sessions";
            filter?: string;
            columns?: string[];
            sort?: string | null;
            range?: string | null;
            visibility?: "private" | "project";
            pinned?: boolean;
        };
        ViewPage: {
            views: components["schemas"]["View"][];
            nextCursor: string | null;
        };
        Whoami: {
            projectId: string;
            projectName: string;
            organizationId: string;
            organizationSlug: string;
            plan: "free" | "pro" | "team" | "scale";
            keyId: string;
            keyName: string;
            keyPrefix: string;
            scopes: ("ingest" | "read" | "prompts:read" | "prompts:write" | "datasets:write" | "scores:write" | "guardrails:check" | "simulations:run" | "admin-read")[] | null;
        };
    };
    responses: {
        Error: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
    };
    parameters: {
        agent: string | string[];
        alertId: string;
        baseline: string;
        batchRunId: string;
        changeId: string;
        column: string[];
        commentId: string;
        connectionId: string;
        cursor: string;
        datasetId: string;
        environment: string | string[];
        "environment.2": string | string[];
        "environment.3": string;
        environmentId: string;
        errorCode: string | string[];
        evaluator: string;
        evaluatorId: string;
        filter: string;
        from: string;
        guardrailId: string;
        id: string;
        "id.2": string;
        incidentId: string;
        interval: "day" | "hour";
        itemId: string;
        jobId: string;
        keyId: string;
        limit: number;
        "limit.2": number;
        maxScore: number;
        metadata: string | string[];
        minCost: number;
        minLatency: number;
        minScore: number;
        model: string;
        "model.2": string | string[];
        "model.3": string;
        name: string;
        "name.2": string | string[];
        orgId: string;
        packId: string;
        passed: "true" | "false";
        policyId: string;
        projectId: string;
        promptName: string;
        promptVersion: string;
        range: "7d" | "30d" | "90d";
        "range.2": string;
        release: string | string[];
        roots: "true" | "false";
        runId: string;
        scenarioId: string;
        scoreId: string;
        session: string | string[];
        simulated: "true" | "false" | "any";
        status: "queued" | "running" | "completed" | "failed" | "cancelled";
        "status.2": "ok" | "error";
        tag: string | string[];
        to: string;
        traceId: string;
        "traceId.2": string | string[];
        unscoredBy: string;
        user: string | string[];
        userId: string;
        view: string;
        viewId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AcceptanceBody = components['schemas']['AcceptanceBody'];
export type Accepted = components['schemas']['Accepted'];
export type AffectedNode = components['schemas']['AffectedNode'];
export type AgentUsage = components['schemas']['AgentUsage'];
export type AlertBody = components['schemas']['AlertBody'];
export type AlertChange = components['schemas']['AlertChange'];
export type AlertFilter = components['schemas']['AlertFilter'];
export type AlertPage = components['schemas']['AlertPage'];
export type AlertPreview = components['schemas']['AlertPreview'];
export type AlertRule = components['schemas']['AlertRule'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyBody = components['schemas']['ApiKeyBody'];
export type ApiKeyChange = components['schemas']['ApiKeyChange'];
export type ApiKeyCreated = components['schemas']['ApiKeyCreated'];
export type ApiKeyPage = components['schemas']['ApiKeyPage'];
export type ApplicationUser = components['schemas']['ApplicationUser'];
export type ApplicationUserDetail = components['schemas']['ApplicationUserDetail'];
export type ApplicationUserPage = components['schemas']['ApplicationUserPage'];
export type Applied = components['schemas']['Applied'];
export type ApplyBody = components['schemas']['ApplyBody'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditPage = components['schemas']['AuditPage'];
export type AuditVerification = components['schemas']['AuditVerification'];
export type BatchItem = components['schemas']['BatchItem'];
export type BatchItemPage = components['schemas']['BatchItemPage'];
export type BatchItemScore = components['schemas']['BatchItemScore'];
export type BatchRun = components['schemas']['BatchRun'];
export type BatchRunBody = components['schemas']['BatchRunBody'];
export type BatchRunPage = components['schemas']['BatchRunPage'];
export type BlastRadius = components['schemas']['BlastRadius'];
export type BundledGuardrail = components['schemas']['BundledGuardrail'];
export type CallDay = components['schemas']['CallDay'];
export type Change = components['schemas']['Change'];
export type ChangeBody = components['schemas']['ChangeBody'];
export type ChangePage = components['schemas']['ChangePage'];
export type Channel = components['schemas']['Channel'];
export type ChannelBody = components['schemas']['ChannelBody'];
export type CheckAnswer = components['schemas']['CheckAnswer'];
export type CheckBody = components['schemas']['CheckBody'];
export type Comment = components['schemas']['Comment'];
export type CommentAnchor = components['schemas']['CommentAnchor'];
export type CommentAnswer = components['schemas']['CommentAnswer'];
export type CommentBody = components['schemas']['CommentBody'];
export type CommentChange = components['schemas']['CommentChange'];
export type CommentPage = components['schemas']['CommentPage'];
export type ComparedItem = components['schemas']['ComparedItem'];
export type Comparison = components['schemas']['Comparison'];
export type ConnectionConflict = components['schemas']['ConnectionConflict'];
export type ConnectionUse = components['schemas']['ConnectionUse'];
export type CurrentSession = components['schemas']['CurrentSession'];
export type Dataset = components['schemas']['Dataset'];
export type DatasetBody = components['schemas']['DatasetBody'];
export type DatasetChange = components['schemas']['DatasetChange'];
export type DatasetItem = components['schemas']['DatasetItem'];
export type DatasetItems = components['schemas']['DatasetItems'];
export type DatasetPage = components['schemas']['DatasetPage'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryPage = components['schemas']['DeliveryPage'];
export type Distributions = components['schemas']['Distributions'];
export type Environment = components['schemas']['Environment'];
export type EnvironmentAttachments = components['schemas']['EnvironmentAttachments'];
export type EnvironmentBody = components['schemas']['EnvironmentBody'];
export type EnvironmentChange = components['schemas']['EnvironmentChange'];
export type EnvironmentInUse = components['schemas']['EnvironmentInUse'];
export type EnvironmentPage = components['schemas']['EnvironmentPage'];
export type ErrorBody = components['schemas']['ErrorBody'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type Evaluation = components['schemas']['Evaluation'];
export type EvaluationPage = components['schemas']['EvaluationPage'];
export type Evaluator = components['schemas']['Evaluator'];
export type EvaluatorBody = components['schemas']['EvaluatorBody'];
export type EvaluatorChange = components['schemas']['EvaluatorChange'];
export type EvaluatorFilter = components['schemas']['EvaluatorFilter'];
export type EvaluatorPage = components['schemas']['EvaluatorPage'];
export type EvaluatorSummary = components['schemas']['EvaluatorSummary'];
export type Evidence = components['schemas']['Evidence'];
export type EvidencePack = components['schemas']['EvidencePack'];
export type FacetList = components['schemas']['FacetList'];
export type FilterFieldList = components['schemas']['FilterFieldList'];
export type FilterSuggestions = components['schemas']['FilterSuggestions'];
export type FilterSuggestionsBody = components['schemas']['FilterSuggestionsBody'];
export type Finding = components['schemas']['Finding'];
export type FindingList = components['schemas']['FindingList'];
export type FixProposal = components['schemas']['FixProposal'];
export type FixProposalPage = components['schemas']['FixProposalPage'];
export type FolderBody = components['schemas']['FolderBody'];
export type FolderList = components['schemas']['FolderList'];
export type ForgotBody = components['schemas']['ForgotBody'];
export type Forgotten = components['schemas']['Forgotten'];
export type Framework = components['schemas']['Framework'];
export type FrameworkList = components['schemas']['FrameworkList'];
export type FrontierPoint = components['schemas']['FrontierPoint'];
export type GateBody = components['schemas']['GateBody'];
export type GatePending = components['schemas']['GatePending'];
export type GateResult = components['schemas']['GateResult'];
export type Graph = components['schemas']['Graph'];
export type GraphEdge = components['schemas']['GraphEdge'];
export type GraphNode = components['schemas']['GraphNode'];
export type Guardrail = components['schemas']['Guardrail'];
export type GuardrailActivity = components['schemas']['GuardrailActivity'];
export type GuardrailBody = components['schemas']['GuardrailBody'];
export type GuardrailChange = components['schemas']['GuardrailChange'];
export type GuardrailPage = components['schemas']['GuardrailPage'];
export type GuardrailResult = components['schemas']['GuardrailResult'];
export type Impact = components['schemas']['Impact'];
export type ImportPreview = components['schemas']['ImportPreview'];
export type ImportRefusal = components['schemas']['ImportRefusal'];
export type Imported = components['schemas']['Imported'];
export type Incident = components['schemas']['Incident'];
export type IncidentChange = components['schemas']['IncidentChange'];
export type IncidentPage = components['schemas']['IncidentPage'];
export type IngestAnswer = components['schemas']['IngestAnswer'];
export type IngestClient = components['schemas']['IngestClient'];
export type IngestHealth = components['schemas']['IngestHealth'];
export type IngestRefusal = components['schemas']['IngestRefusal'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationBody = components['schemas']['InvitationBody'];
export type InvitationCreated = components['schemas']['InvitationCreated'];
export type InvitationPage = components['schemas']['InvitationPage'];
export type InvitationSeen = components['schemas']['InvitationSeen'];
export type ItemChange = components['schemas']['ItemChange'];
export type ItemsBody = components['schemas']['ItemsBody'];
export type Job = components['schemas']['Job'];
export type JobError = components['schemas']['JobError'];
export type JobPage = components['schemas']['JobPage'];
export type JobResult = components['schemas']['JobResult'];
export type LabelsBody = components['schemas']['LabelsBody'];
export type LatencyDay = components['schemas']['LatencyDay'];
export type LifecycleCatalogue = components['schemas']['LifecycleCatalogue'];
export type LineError = components['schemas']['LineError'];
export type LinkBody = components['schemas']['LinkBody'];
export type ListedEntry = components['schemas']['ListedEntry'];
export type ListedMember = components['schemas']['ListedMember'];
export type ListedPack = components['schemas']['ListedPack'];
export type ListedPrompt = components['schemas']['ListedPrompt'];
export type ListedScore = components['schemas']['ListedScore'];
export type LoginBody = components['schemas']['LoginBody'];
export type MappingPreview = components['schemas']['MappingPreview'];
export type Member = components['schemas']['Member'];
export type MemberBody = components['schemas']['MemberBody'];
export type MemberChange = components['schemas']['MemberChange'];
export type MemberPage = components['schemas']['MemberPage'];
export type Mention = components['schemas']['Mention'];
export type MentionPage = components['schemas']['MentionPage'];
export type MetricAnswer = components['schemas']['MetricAnswer'];
export type MetricFields = components['schemas']['MetricFields'];
export type MetricQueryBody = components['schemas']['MetricQueryBody'];
export type MetricRow = components['schemas']['MetricRow'];
export type ModelConnection = components['schemas']['ModelConnection'];
export type ModelConnectionBody = components['schemas']['ModelConnectionBody'];
export type ModelConnectionChange = components['schemas']['ModelConnectionChange'];
export type ModelConnectionPage = components['schemas']['ModelConnectionPage'];
export type ModelDetail = components['schemas']['ModelDetail'];
export type ModelList = components['schemas']['ModelList'];
export type ModelSummary = components['schemas']['ModelSummary'];
export type MovedFolder = components['schemas']['MovedFolder'];
export type OneBatchRun = components['schemas']['OneBatchRun'];
export type OneJob = components['schemas']['OneJob'];
export type OperationUsage = components['schemas']['OperationUsage'];
export type Organization = components['schemas']['Organization'];
export type OrganizationBody = components['schemas']['OrganizationBody'];
export type OrganizationChange = components['schemas']['OrganizationChange'];
export type OrganizationPage = components['schemas']['OrganizationPage'];
export type OrganizationPolicies = components['schemas']['OrganizationPolicies'];
export type OtlpError = components['schemas']['OtlpError'];
export type OtlpPartialSuccess = components['schemas']['OtlpPartialSuccess'];
export type Outcome = components['schemas']['Outcome'];
export type OutcomeKinds = components['schemas']['OutcomeKinds'];
export type OutcomeSummary = components['schemas']['OutcomeSummary'];
export type OutcomesAnswer = components['schemas']['OutcomesAnswer'];
export type OutcomesRefusal = components['schemas']['OutcomesRefusal'];
export type OutlinedSpan = components['schemas']['OutlinedSpan'];
export type OverrideBody = components['schemas']['OverrideBody'];
export type Overview = components['schemas']['Overview'];
export type OwnPrice = components['schemas']['OwnPrice'];
export type PackBody = components['schemas']['PackBody'];
export type PackControl = components['schemas']['PackControl'];
export type PackPage = components['schemas']['PackPage'];
export type PackVerification = components['schemas']['PackVerification'];
export type PasswordBody = components['schemas']['PasswordBody'];
export type PlanBody = components['schemas']['PlanBody'];
export type PlannedChange = components['schemas']['PlannedChange'];
export type Policy = components['schemas']['Policy'];
export type PolicyBundle = components['schemas']['PolicyBundle'];
export type PolicyFault = components['schemas']['PolicyFault'];
export type PolicyFile = components['schemas']['PolicyFile'];
export type PolicyList = components['schemas']['PolicyList'];
export type PolicyPlan = components['schemas']['PolicyPlan'];
export type PolicyRevision = components['schemas']['PolicyRevision'];
export type PolicyRevisionPage = components['schemas']['PolicyRevisionPage'];
export type PolicySummary = components['schemas']['PolicySummary'];
export type PriceBody = components['schemas']['PriceBody'];
export type PricePage = components['schemas']['PricePage'];
export type Project = components['schemas']['Project'];
export type ProjectBody = components['schemas']['ProjectBody'];
export type ProjectPage = components['schemas']['ProjectPage'];
export type PromptBody = components['schemas']['PromptBody'];
export type PromptMetrics = components['schemas']['PromptMetrics'];
export type PromptPage = components['schemas']['PromptPage'];
export type PromptVersion = components['schemas']['PromptVersion'];
export type PromptVersions = components['schemas']['PromptVersions'];
export type Pulled = components['schemas']['Pulled'];
export type QualityBlock = components['schemas']['QualityBlock'];
export type QueuedDeliveries = components['schemas']['QueuedDeliveries'];
export type Replay = components['schemas']['Replay'];
export type ReportAnswer = components['schemas']['ReportAnswer'];
export type ReportBody = components['schemas']['ReportBody'];
export type RepriceBody = components['schemas']['RepriceBody'];
export type Repricing = components['schemas']['Repricing'];
export type ResetBody = components['schemas']['ResetBody'];
export type Rotated = components['schemas']['Rotated'];
export type Run = components['schemas']['Run'];
export type RunAggregates = components['schemas']['RunAggregates'];
export type RunBody = components['schemas']['RunBody'];
export type RunDetail = components['schemas']['RunDetail'];
export type RunItemsAdded = components['schemas']['RunItemsAdded'];
export type RunItemsBody = components['schemas']['RunItemsBody'];
export type RunPage = components['schemas']['RunPage'];
export type RunScore = components['schemas']['RunScore'];
export type ScanAnswer = components['schemas']['ScanAnswer'];
export type Scenario = components['schemas']['Scenario'];
export type ScenarioBody = components['schemas']['ScenarioBody'];
export type ScenarioChange = components['schemas']['ScenarioChange'];
export type ScenarioPage = components['schemas']['ScenarioPage'];
export type ScenarioTarget = components['schemas']['ScenarioTarget'];
export type Score = components['schemas']['Score'];
export type ScoreBody = components['schemas']['ScoreBody'];
export type ScoreChange = components['schemas']['ScoreChange'];
export type ScorePage = components['schemas']['ScorePage'];
export type ScoreSummary = components['schemas']['ScoreSummary'];
export type SelectionAction = components['schemas']['SelectionAction'];
export type SelectionBody = components['schemas']['SelectionBody'];
export type Session = components['schemas']['Session'];
export type SessionDetail = components['schemas']['SessionDetail'];
export type SessionPage = components['schemas']['SessionPage'];
export type Share = components['schemas']['Share'];
export type ShareCreated = components['schemas']['ShareCreated'];
export type ShareList = components['schemas']['ShareList'];
export type SharedSpan = components['schemas']['SharedSpan'];
export type SharedTrace = components['schemas']['SharedTrace'];
export type SpanCounts = components['schemas']['SpanCounts'];
export type SpanList = components['schemas']['SpanList'];
export type SpanMapping = components['schemas']['SpanMapping'];
export type SpanPage = components['schemas']['SpanPage'];
export type SpanUsage = components['schemas']['SpanUsage'];
export type StartedFixProposal = components['schemas']['StartedFixProposal'];
export type StartedRepricing = components['schemas']['StartedRepricing'];
export type TagsBody = components['schemas']['TagsBody'];
export type TimelinePoint = components['schemas']['TimelinePoint'];
export type Token = components['schemas']['Token'];
export type TokenBody = components['schemas']['TokenBody'];
export type TokenCreated = components['schemas']['TokenCreated'];
export type TokenPage = components['schemas']['TokenPage'];
export type TraceComparison = components['schemas']['TraceComparison'];
export type TraceCounts = components['schemas']['TraceCounts'];
export type TraceDetail = components['schemas']['TraceDetail'];
export type TraceOutline = components['schemas']['TraceOutline'];
export type TracePage = components['schemas']['TracePage'];
export type TracePayloads = components['schemas']['TracePayloads'];
export type TraceSpan = components['schemas']['TraceSpan'];
export type TraceSummary = components['schemas']['TraceSummary'];
export type Tried = components['schemas']['Tried'];
export type TryBody = components['schemas']['TryBody'];
export type UsedByScenarios = components['schemas']['UsedByScenarios'];
export type User = components['schemas']['User'];
export type UserDataReceipt = components['schemas']['UserDataReceipt'];
export type ValidateBody = components['schemas']['ValidateBody'];
export type Validation = components['schemas']['Validation'];
export type VersionPage = components['schemas']['VersionPage'];
export type View = components['schemas']['View'];
export type ViewBody = components['schemas']['ViewBody'];
export type ViewChange = components['schemas']['ViewChange'];
export type ViewPage = components['schemas']['ViewPage'];
export type Whoami = components['schemas']['Whoami'];
export interface operations {
    getHealthz: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        status: string;
                        reasons?: string[];
                    };
                };
            };
        };
    };
    getReadyz: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        status: string;
                        reasons?: string[];
                    };
                };
            };
        };
    };
    postV1AuthLogin: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                    };
                };
            };
        };
    };
    postV1AuthLogout: {
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getV1AuthSession: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CurrentSession"];
                };
            };
        };
    };
    postV1MePassword: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordBody"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getV1MeTokens: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TokenPage"];
                };
            };
        };
    };
    postV1MeTokens: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["TokenCreated"];
                };
            };
        };
    };
    deleteV1MeTokensTokenId: {
        parameters: {
            path: {
                tokenId: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getV1SdkWhoami: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Whoami"];
                };
            };
        };
    };
    postV1InvitationsLookUp: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InvitationSeen"];
                };
            };
        };
    };
    postV1InvitationsAccept: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptanceBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
        };
    };
    postV1AuthForgot: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgotBody"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["Forgotten"];
                };
            };
        };
    };
    postV1AuthReset: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetBody"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getV1Organizations: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OrganizationPage"];
                };
            };
        };
    };
    postV1Organizations: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    patchV1OrganizationsOrgId: {
        parameters: {
            path: {
                orgId: components["parameters"]["orgId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    getV1OrganizationsOrgIdProjects: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                orgId: components["parameters"]["orgId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
        };
    };
    postV1OrganizationsOrgIdProjects: {
        parameters: {
            path: {
                orgId: components["parameters"]["orgId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    getV1OrganizationsOrgIdMembers: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                orgId: components["parameters"]["orgId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
        };
    };
    postV1OrganizationsOrgIdMembers: {
        parameters: {
            path: {
                orgId: components["parameters"]["orgId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["InvitationCreated"];
                };
            };
        };
    };
    deleteV1OrganizationsOrgIdMembersUserId: {
        parameters: {
            path: {
                orgId: components["parameters"]["orgId"];
                userId: components["parameters"]["userId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1OrganizationsOrgIdMembersUserId: {
        parameters: {
            path: {
                orgId: components["parameters"]["orgId"];
                userId: components["parameters"]["userId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    postV1OrganizationsOrgIdMembersUserIdRevoke: {
        parameters: {
            path: {
                orgId: components["parameters"]["orgId"];
                userId: components["parameters"]["userId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getV1ProjectsIdApiKeys: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
        };
    };
    postV1ProjectsIdApiKeys: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
        };
    };
    postV1ProjectsIdApiKeysKeyIdRotate: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                keyId: components["parameters"]["keyId"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    graceSeconds?: number;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Rotated"];
                };
            };
        };
    };
    deleteV1ProjectsIdApiKeysKeyId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                keyId: components["parameters"]["keyId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1ProjectsIdApiKeysKeyId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                keyId: components["parameters"]["keyId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    getV1OrganizationsOrgIdInvitations: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                orgId: components["parameters"]["orgId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InvitationPage"];
                };
            };
        };
    };
    postV1OrganizationsOrgIdInvitations: {
        parameters: {
            path: {
                orgId: components["parameters"]["orgId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["InvitationCreated"];
                };
            };
        };
    };
    deleteV1OrganizationsOrgIdInvitationsInvitationId: {
        parameters: {
            path: {
                orgId: components["parameters"]["orgId"];
                invitationId: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getV1OrganizationsOrgIdAuditLog: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                kind?: string;
                actor?: string;
                from?: string;
                to?: string;
            };
            path: {
                orgId: components["parameters"]["orgId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
        };
    };
    getV1OrganizationsOrgIdAuditLogVerify: {
        parameters: {
            path: {
                orgId: components["parameters"]["orgId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditVerification"];
                };
            };
        };
    };
    getV1ProjectsIdJobs: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                status?: components["parameters"]["status"];
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JobPage"];
                };
            };
        };
    };
    getV1ProjectsIdJobsJobId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                jobId: components["parameters"]["jobId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    postV1ProjectsIdJobsJobIdCancel: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                jobId: components["parameters"]["jobId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
        };
    };
    getV1ProjectsIdJobsJobIdDownload: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                jobId: components["parameters"]["jobId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
        };
    };
    getV1ProjectsIdModels: {
        parameters: {
            query?: {
                range?: components["parameters"]["range"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                environment?: components["parameters"]["environment"];
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
        };
    };
    getV1ProjectsIdModelsModel: {
        parameters: {
            query?: {
                range?: components["parameters"]["range"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                environment?: components["parameters"]["environment"];
                interval?: components["parameters"]["interval"];
            };
            path: {
                id: components["parameters"]["id"];
                model: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ModelDetail"];
                };
            };
        };
    };
    getV1ProjectsIdOverview: {
        parameters: {
            query?: {
                range?: components["parameters"]["range.2"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                environment?: components["parameters"]["environment"];
                interval?: components["parameters"]["interval"];
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
        };
    };
    getV1ProjectsIdPrices: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PricePage"];
                };
            };
        };
    };
    getV1ProjectsIdPricesModel: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                model: components["parameters"]["model"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OwnPrice"];
                };
            };
        };
    };
    putV1ProjectsIdPricesModel: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                model: components["parameters"]["model"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PriceBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OwnPrice"];
                };
            };
        };
    };
    deleteV1ProjectsIdPricesModel: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                model: components["parameters"]["model"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OwnPrice"];
                };
            };
        };
    };
    postV1ProjectsIdPricesReprice: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepriceBody"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["StartedRepricing"];
                };
            };
        };
    };
    getV1ProjectsIdPricesRepriceRepricingId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                repricingId: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Repricing"];
                };
            };
        };
    };
    postV1IngestOutcomes: {
        requestBody: {
            content: {
                "application/json": {
                    traceId: string;
                    kind: string;
                    value?: number | null;
                    currency?: string | null;
                    success?: boolean | null;
                    occurredAt?: string | null;
                    idempotencyKey?: string | null;
                    metadata?: Record<string, never> | null;
                    projectId?: string;
                } | {
                    projectId?: string;
                    outcomes: {
                        traceId: string;
                        kind: string;
                        value?: number | null;
                        currency?: string | null;
                        success?: boolean | null;
                        occurredAt?: string | null;
                        idempotencyKey?: string | null;
                        metadata?: Record<string, never> | null;
                    }[];
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["OutcomesAnswer"];
                };
            };
        };
    };
    getV1ProjectsIdOutcomesKinds: {
        parameters: {
            query?: {
                range?: components["parameters"]["range"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                environment?: components["parameters"]["environment"];
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OutcomeKinds"];
                };
            };
        };
    };
    getV1ProjectsIdOutcomesSummary: {
        parameters: {
            query?: {
                range?: components["parameters"]["range"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                environment?: components["parameters"]["environment"];
                kind?: string;
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OutcomeSummary"];
                };
            };
        };
    };
    getV1ProjectsIdScores: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                evaluator?: string;
                source?: "application" | "evaluator" | "annotation";
                author?: string;
                traceId?: string;
                sort?: "-timestamp" | "timestamp" | "-score" | "score";
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ScorePage"];
                };
            };
        };
    };
    postV1ProjectsIdScores: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScoreBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Score"];
                };
            };
        };
    };
    getV1ProjectsIdScoreSummary: {
        parameters: {
            query?: {
                range?: components["parameters"]["range"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                evaluator?: string;
                by?: "model" | "agent" | "promptVersion" | "release" | "author";
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ScoreSummary"];
                };
            };
        };
    };
    deleteV1ProjectsIdScoresScoreId: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                scoreId: components["parameters"]["scoreId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1ProjectsIdScoresScoreId: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                scoreId: components["parameters"]["scoreId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScoreChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ListedScore"];
                };
            };
        };
    };
    getV1ProjectsIdViews: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                on?: "spans" | "traces" | "sessions";
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ViewPage"];
                };
            };
        };
    };
    postV1ProjectsIdViews: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    getV1ProjectsIdViewsViewId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                viewId: components["parameters"]["viewId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    deleteV1ProjectsIdViewsViewId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                viewId: components["parameters"]["viewId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1ProjectsIdViewsViewId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                viewId: components["parameters"]["viewId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
        };
    };
    getV1ProjectsIdTraces: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit.2"];
                cursor?: components["parameters"]["cursor"];
                range?: components["parameters"]["range.2"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                filter?: components["parameters"]["filter"];
                view?: components["parameters"]["view"];
                traceId?: components["parameters"]["traceId.2"];
                model?: components["parameters"]["model.2"];
                agent?: components["parameters"]["agent"];
                session?: components["parameters"]["session"];
                user?: components["parameters"]["user"];
                environment?: components["parameters"]["environment.2"];
                release?: components["parameters"]["release"];
                name?: components["parameters"]["name.2"];
                status?: components["parameters"]["status.2"];
                errorCode?: components["parameters"]["errorCode"];
                tag?: components["parameters"]["tag"];
                metadata?: components["parameters"]["metadata"];
                minLatency?: components["parameters"]["minLatency"];
                minCost?: components["parameters"]["minCost"];
                evaluator?: components["parameters"]["evaluator"];
                minScore?: components["parameters"]["minScore"];
                maxScore?: components["parameters"]["maxScore"];
                passed?: components["parameters"]["passed"];
                unscoredBy?: components["parameters"]["unscoredBy"];
                promptName?: components["parameters"]["promptName"];
                promptVersion?: components["parameters"]["promptVersion"];
                simulated?: components["parameters"]["simulated"];
                column?: components["parameters"]["column"];
                q?: string;
                sort?: string;
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TracePage"];
                    "application/x-ndjson": components["schemas"]["TracePage"];
                };
            };
        };
    };
    deleteV1ProjectsIdTraces: {
        parameters: {
            query: {
                traceId: string;
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getV1ProjectsIdTraceCounts: {
        parameters: {
            query?: {
                range?: components["parameters"]["range.2"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                filter?: components["parameters"]["filter"];
                view?: components["parameters"]["view"];
                traceId?: components["parameters"]["traceId.2"];
                model?: components["parameters"]["model.2"];
                agent?: components["parameters"]["agent"];
                session?: components["parameters"]["session"];
                user?: components["parameters"]["user"];
                environment?: components["parameters"]["environment.2"];
                release?: components["parameters"]["release"];
                name?: components["parameters"]["name.2"];
                status?: components["parameters"]["status.2"];
                errorCode?: components["parameters"]["errorCode"];
                tag?: components["parameters"]["tag"];
                metadata?: components["parameters"]["metadata"];
                minLatency?: components["parameters"]["minLatency"];
                minCost?: components["parameters"]["minCost"];
                evaluator?: components["parameters"]["evaluator"];
                minScore?: components["parameters"]["minScore"];
                maxScore?: components["parameters"]["maxScore"];
                passed?: components["parameters"]["passed"];
                unscoredBy?: components["parameters"]["unscoredBy"];
                promptName?: components["parameters"]["promptName"];
                promptVersion?: components["parameters"]["promptVersion"];
                simulated?: components["parameters"]["simulated"];
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TraceCounts"];
                };
            };
        };
    };
    getV1ProjectsIdFilterFields: {
        parameters: {
            query: {
                on: "spans" | "traces";
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FilterFieldList"];
                };
            };
        };
    };
    postV1ProjectsIdFilterSuggestions: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FilterSuggestionsBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FilterSuggestions"];
                };
            };
        };
    };
    getV1ProjectsIdTracesTraceId: {
        parameters: {
            query?: {
                payloads?: "none" | "preview" | "full";
            };
            path: {
                id: components["parameters"]["id.2"];
                traceId: components["parameters"]["traceId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TraceDetail"] | components["schemas"]["TraceOutline"];
                };
            };
        };
    };
    deleteV1ProjectsIdTracesTraceId: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                traceId: components["parameters"]["traceId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getV1ProjectsIdTracesTraceIdPayloads: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                traceId: components["parameters"]["traceId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TracePayloads"];
                };
            };
        };
    };
    getV1ProjectsIdTracesTraceIdSpans: {
        parameters: {
            query: {
                spanId: string | string[];
            };
            path: {
                id: components["parameters"]["id.2"];
                traceId: components["parameters"]["traceId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SpanList"];
                };
            };
        };
    };
    getV1ProjectsIdTracesTraceIdSpansSpanIdMapping: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                traceId: components["parameters"]["traceId"];
                spanId: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SpanMapping"];
                };
            };
        };
    };
    getV1ProjectsIdTraceComparison: {
        parameters: {
            query: {
                a: string;
                b: string;
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TraceComparison"];
                };
            };
        };
    };
    getV1ProjectsIdSpans: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit.2"];
                cursor?: components["parameters"]["cursor"];
                range?: components["parameters"]["range.2"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                filter?: components["parameters"]["filter"];
                view?: components["parameters"]["view"];
                roots?: components["parameters"]["roots"];
                column?: components["parameters"]["column"];
                sort?: string;
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SpanPage"];
                    "application/x-ndjson": components["schemas"]["SpanPage"];
                };
            };
        };
    };
    getV1ProjectsIdSpanCounts: {
        parameters: {
            query?: {
                range?: components["parameters"]["range.2"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                filter?: components["parameters"]["filter"];
                view?: components["parameters"]["view"];
                roots?: components["parameters"]["roots"];
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SpanCounts"];
                };
            };
        };
    };
    getV1ProjectsIdFacets: {
        parameters: {
            query: {
                range?: components["parameters"]["range.2"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                filter?: components["parameters"]["filter"];
                view?: components["parameters"]["view"];
                on: "spans" | "traces";
                field: string | string[];
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FacetList"];
                };
            };
        };
    };
    getV1ProjectsIdSessions: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                range?: components["parameters"]["range.2"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                filter?: components["parameters"]["filter"];
                view?: components["parameters"]["view"];
                user?: string;
                environment?: string;
                q?: string;
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
        };
    };
    getV1ProjectsIdSessionsSessionId: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                sessionId: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SessionDetail"];
                };
            };
        };
    };
    getV1ProjectsIdUsers: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                range?: components["parameters"]["range.2"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                filter?: components["parameters"]["filter"];
                view?: components["parameters"]["view"];
                q?: string;
                sort?: "-cost" | "-lastSeen" | "-traces" | "-errors";
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ApplicationUserPage"];
                };
            };
        };
    };
    getV1ProjectsIdUsersUserId: {
        parameters: {
            query?: {
                range?: components["parameters"]["range.2"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
            };
            path: {
                id: components["parameters"]["id.2"];
                userId: components["parameters"]["userId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ApplicationUserDetail"];
                };
            };
        };
    };
    deleteV1ProjectsIdUsersUserId: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                userId: components["parameters"]["userId"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["OneJob"];
                };
            };
        };
    };
    getV1ProjectsIdQuery: {
        parameters: {
            query: {
                q: string;
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MetricAnswer"];
                    "text/csv": components["schemas"]["MetricAnswer"];
                };
            };
        };
    };
    postV1ProjectsIdQuery: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetricQueryBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MetricAnswer"];
                    "text/csv": components["schemas"]["MetricAnswer"];
                };
            };
        };
    };
    getV1ProjectsIdQueryFields: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MetricFields"];
                };
            };
        };
    };
    getV1ProjectsIdComments: {
        parameters: {
            query: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                traceId: string;
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommentPage"];
                };
            };
        };
    };
    postV1ProjectsIdComments: {
        parameters: {
            query?: {
                traceId?: string;
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CommentAnswer"];
                };
            };
        };
    };
    deleteV1ProjectsIdCommentsCommentId: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                commentId: components["parameters"]["commentId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1ProjectsIdCommentsCommentId: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                commentId: components["parameters"]["commentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommentChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommentAnswer"];
                };
            };
        };
    };
    getV1MeMentions: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                unread?: "true" | "false";
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MentionPage"];
                };
            };
        };
    };
    postV1MeMentionsRead: {
        requestBody: {
            content: {
                "application/json": {
                    commentIds?: string[];
                } | null;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    postV1Ingest: {
        requestBody: {
            content: {
                "application/x-ndjson": string;
                "application/json": string;
                "text/plain": string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["IngestAnswer"];
                };
            };
        };
    };
    postV1Traces: {
        requestBody: {
            content: {
                "application/x-protobuf": unknown;
                "application/json": unknown;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["OtlpPartialSuccess"];
                    "application/x-protobuf": string;
                };
            };
        };
    };
    postV1ProjectsIdMappingPreview: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/x-protobuf": unknown;
                "application/json": unknown;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MappingPreview"];
                };
            };
        };
    };
    getV1Metrics: {
        responses: never;
    };
    putV1Metrics: {
        responses: never;
    };
    postV1Metrics: {
        responses: never;
    };
    deleteV1Metrics: {
        responses: never;
    };
    optionsV1Metrics: {
        responses: never;
    };
    patchV1Metrics: {
        responses: never;
    };
    traceV1Metrics: {
        responses: never;
    };
    getV1Logs: {
        responses: never;
    };
    putV1Logs: {
        responses: never;
    };
    postV1Logs: {
        responses: never;
    };
    deleteV1Logs: {
        responses: never;
    };
    optionsV1Logs: {
        responses: never;
    };
    patchV1Logs: {
        responses: never;
    };
    traceV1Logs: {
        responses: never;
    };
    getV1ProjectsIdIngestHealth: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IngestHealth"];
                };
            };
        };
    };
    getV1ProjectsIdModelConnections: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ModelConnectionPage"];
                };
            };
        };
    };
    postV1ProjectsIdModelConnections: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelConnectionBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["ModelConnection"];
                };
            };
        };
    };
    getV1ProjectsIdModelConnectionsConnectionId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                connectionId: components["parameters"]["connectionId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ModelConnection"];
                };
            };
        };
    };
    deleteV1ProjectsIdModelConnectionsConnectionId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                connectionId: components["parameters"]["connectionId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1ProjectsIdModelConnectionsConnectionId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                connectionId: components["parameters"]["connectionId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelConnectionChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ModelConnection"];
                };
            };
        };
    };
    getV1ProjectsIdGuardrails: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GuardrailPage"];
                };
            };
        };
    };
    postV1ProjectsIdGuardrails: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GuardrailBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Guardrail"];
                };
            };
        };
    };
    getV1ProjectsIdGuardrailsGuardrailId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                guardrailId: components["parameters"]["guardrailId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Guardrail"];
                };
            };
        };
    };
    deleteV1ProjectsIdGuardrailsGuardrailId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                guardrailId: components["parameters"]["guardrailId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1ProjectsIdGuardrailsGuardrailId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                guardrailId: components["parameters"]["guardrailId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GuardrailChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Guardrail"];
                };
            };
        };
    };
    postV1GuardrailsCheck: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CheckAnswer"];
                };
            };
        };
    };
    postV1GuardrailsReport: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportBody"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["ReportAnswer"];
                };
            };
        };
    };
    getV1ProjectsIdGuardrailsActivity: {
        parameters: {
            query?: {
                range?: components["parameters"]["range"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                by?: "day" | "environment";
                guardrail?: string;
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GuardrailActivity"];
                };
            };
        };
    };
    getV1PolicyBundle: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
                environment?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PolicyBundle"];
                };
            };
        };
    };
    getV1ComplianceFrameworks: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FrameworkList"];
                };
            };
        };
    };
    getV1ProjectsIdEvidencePacks: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PackPage"];
                };
            };
        };
    };
    postV1ProjectsIdEvidencePacks: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PackBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["EvidencePack"];
                };
            };
        };
    };
    getV1ProjectsIdEvidencePacksPackId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                packId: components["parameters"]["packId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EvidencePack"];
                };
            };
        };
    };
    getV1ProjectsIdEvidencePacksPackIdDownload: {
        parameters: {
            query?: {
                format?: "json" | "html" | "dsse";
            };
            path: {
                id: components["parameters"]["id"];
                packId: components["parameters"]["packId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": unknown;
                    "text/html": unknown;
                };
            };
        };
    };
    getV1ProjectsIdEvidencePacksPackIdVerify: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                packId: components["parameters"]["packId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PackVerification"];
                };
            };
        };
    };
    getV1ProjectsIdEnvironments: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EnvironmentPage"];
                };
            };
        };
    };
    postV1ProjectsIdEnvironments: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnvironmentBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Environment"];
                };
            };
        };
    };
    getV1ProjectsIdEnvironmentsEnvironmentId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                environmentId: components["parameters"]["environmentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Environment"];
                };
            };
        };
    };
    deleteV1ProjectsIdEnvironmentsEnvironmentId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                environmentId: components["parameters"]["environmentId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1ProjectsIdEnvironmentsEnvironmentId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                environmentId: components["parameters"]["environmentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnvironmentChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Environment"];
                };
            };
        };
    };
    getV1PoliciesSchemaJson: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    getV1ProjectsIdPolicies: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PolicyList"];
                };
            };
        };
    };
    getV1ProjectsIdPoliciesRevisions: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PolicyRevisionPage"];
                };
            };
        };
    };
    getV1OrganizationsOrgIdPolicies: {
        parameters: {
            path: {
                orgId: components["parameters"]["orgId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OrganizationPolicies"];
                };
            };
        };
    };
    postV1ProjectsIdPoliciesPolicyIdDetach: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                policyId: components["parameters"]["policyId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    postV1ProjectsIdPoliciesPolicyIdAttach: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                policyId: components["parameters"]["policyId"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    force?: boolean;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    getV1ProjectsIdPoliciesPull: {
        parameters: {
            query?: {
                revision?: string;
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Pulled"];
                };
            };
        };
    };
    postV1ProjectsIdEvidencePacksVerify: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PackVerification"];
                };
            };
        };
    };
    postV1ProjectsIdPoliciesValidate: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Validation"];
                };
            };
        };
    };
    postV1ProjectsIdPoliciesPlan: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PolicyPlan"];
                };
            };
        };
    };
    postV1ProjectsIdPoliciesApply: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApplyBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Applied"];
                };
            };
        };
    };
    getV1ProjectsIdEvaluators: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EvaluatorPage"];
                };
            };
        };
    };
    postV1ProjectsIdEvaluators: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluatorBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Evaluator"];
                };
            };
        };
    };
    getV1ProjectsIdEvaluatorsEvaluatorId: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                evaluatorId: components["parameters"]["evaluatorId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Evaluator"];
                };
            };
        };
    };
    deleteV1ProjectsIdEvaluatorsEvaluatorId: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                evaluatorId: components["parameters"]["evaluatorId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1ProjectsIdEvaluatorsEvaluatorId: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                evaluatorId: components["parameters"]["evaluatorId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluatorChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Evaluator"];
                };
            };
        };
    };
    getV1ProjectsIdEvaluations: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                evaluator?: string;
                status?: "queued" | "running" | "completed" | "failed" | "skipped";
                targetType?: "span" | "trace" | "session" | "run_item";
            };
            path: {
                id: components["parameters"]["id.2"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EvaluationPage"];
                };
            };
        };
    };
    getV1Datasets: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                projectId?: components["parameters"]["projectId"];
                name?: string;
                q?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DatasetPage"];
                };
            };
        };
    };
    postV1Datasets: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatasetBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
        };
    };
    getV1DatasetsDatasetId: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
        };
    };
    deleteV1DatasetsDatasetId: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1DatasetsDatasetId: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DatasetChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
        };
    };
    getV1DatasetsDatasetIdItems: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
                after?: string;
                limit?: number;
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DatasetItems"];
                };
            };
        };
    };
    postV1DatasetsDatasetIdItems: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ItemsBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["DatasetItems"];
                };
            };
        };
    };
    getV1DatasetsDatasetIdItemsItemId: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
                itemId: components["parameters"]["itemId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DatasetItem"];
                };
            };
        };
    };
    deleteV1DatasetsDatasetIdItemsItemId: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
                itemId: components["parameters"]["itemId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1DatasetsDatasetIdItemsItemId: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
                itemId: components["parameters"]["itemId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ItemChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DatasetItem"];
                };
            };
        };
    };
    getV1DatasetsDatasetIdRuns: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
        };
    };
    postV1DatasetsDatasetIdRuns: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
        };
    };
    getV1DatasetsDatasetIdRunsCompare: {
        parameters: {
            query: {
                projectId?: components["parameters"]["projectId"];
                runs: string;
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
        };
    };
    getV1DatasetsDatasetIdRunsRunId: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
                limit?: number;
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
                runId: components["parameters"]["runId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
        };
    };
    deleteV1DatasetsDatasetIdRunsRunId: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
                runId: components["parameters"]["runId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    postV1DatasetsDatasetIdRunsRunIdItems: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
                runId: components["parameters"]["runId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunItemsBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["RunItemsAdded"];
                };
            };
        };
    };
    getV1DatasetsDatasetIdExport: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
                format?: "jsonl" | "csv";
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
        };
    };
    postV1DatasetsDatasetIdImport: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
                format?: "jsonl" | "csv";
                columns?: string;
                dryRun?: "true" | "false" | "";
            };
            path: {
                datasetId: components["parameters"]["datasetId"];
            };
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
                "text/csv": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ImportPreview"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["Imported"];
                };
            };
        };
    };
    postV1ProjectsIdSelections: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SelectionBody"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["OneJob"];
                };
            };
        };
    };
    getV1Prompts: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                name?: string;
                version?: string;
                label?: string;
                folder?: string;
                subfolders?: "true" | "false";
                tag?: string;
                q?: string;
                projectId?: components["parameters"]["projectId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PromptVersion"] | components["schemas"]["PromptPage"];
                };
            };
        };
    };
    postV1Prompts: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromptBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["PromptVersion"];
                };
            };
        };
    };
    getV1PromptsFolders: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FolderList"];
                };
            };
        };
    };
    getV1ProjectsIdPromptsNameMetrics: {
        parameters: {
            query?: {
                range?: components["parameters"]["range"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
            };
            path: {
                id: components["parameters"]["id"];
                name: components["parameters"]["name"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PromptMetrics"];
                };
            };
        };
    };
    getV1PromptsNameVersions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: components["parameters"]["cursor"];
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                name: components["parameters"]["name"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["VersionPage"];
                };
            };
        };
    };
    patchV1PromptsNameLabels: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                name: components["parameters"]["name"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LabelsBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PromptVersions"];
                };
            };
        };
    };
    deleteV1PromptsNameLabelsLabel: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                name: components["parameters"]["name"];
                label: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1PromptsNameTags: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                name: components["parameters"]["name"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagsBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PromptVersions"];
                };
            };
        };
    };
    patchV1PromptsNameFolder: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                name: components["parameters"]["name"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FolderBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MovedFolder"];
                };
            };
        };
    };
    deleteV1PromptsName: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
            };
            path: {
                name: components["parameters"]["name"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getV1ProjectsIdSimulationsScenarios: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                name?: string;
                q?: string;
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ScenarioPage"];
                };
            };
        };
    };
    postV1ProjectsIdSimulationsScenarios: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScenarioBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Scenario"];
                };
            };
        };
    };
    getV1ProjectsIdSimulationsScenariosScenarioId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                scenarioId: components["parameters"]["scenarioId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Scenario"];
                };
            };
        };
    };
    deleteV1ProjectsIdSimulationsScenariosScenarioId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                scenarioId: components["parameters"]["scenarioId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1ProjectsIdSimulationsScenariosScenarioId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                scenarioId: components["parameters"]["scenarioId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScenarioChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Scenario"];
                };
            };
        };
    };
    getV1ProjectsIdSimulationsBatchRuns: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                scenarioId?: string;
                status?: components["parameters"]["status"];
                label?: string;
                datasetId?: string;
                q?: string;
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BatchRunPage"];
                };
            };
        };
    };
    postV1ProjectsIdSimulationsBatchRuns: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRunBody"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["OneBatchRun"];
                };
            };
        };
    };
    getV1ProjectsIdSimulationsBatchRunsBatchRunId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                batchRunId: components["parameters"]["batchRunId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OneBatchRun"];
                };
            };
        };
    };
    getV1ProjectsIdSimulationsBatchRunsBatchRunIdItems: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                status?: "pending" | "passed" | "failed" | "error" | "cancelled";
                baseline?: components["parameters"]["baseline"];
                change?: "regressed" | "improved" | "unchanged" | "newly_failing";
            };
            path: {
                id: components["parameters"]["id"];
                batchRunId: components["parameters"]["batchRunId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BatchItemPage"];
                };
            };
        };
    };
    getV1ProjectsIdSimulationsBatchRunsBatchRunIdDistributions: {
        parameters: {
            query?: {
                baseline?: components["parameters"]["baseline"];
            };
            path: {
                id: components["parameters"]["id"];
                batchRunId: components["parameters"]["batchRunId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Distributions"];
                };
            };
        };
    };
    postV1ProjectsIdSimulationsBatchRunsBatchRunIdCancel: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                batchRunId: components["parameters"]["batchRunId"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["OneBatchRun"];
                };
            };
        };
    };
    postV1ProjectsIdSimulationsBatchRunsBatchRunIdGate: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                batchRunId: components["parameters"]["batchRunId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GateBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GateResult"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["GatePending"];
                };
            };
        };
    };
    postProjectsIdSimulationsBatchRunsBatchRunIdGate: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                batchRunId: components["parameters"]["batchRunId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GateBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GateResult"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["GatePending"];
                };
            };
        };
    };
    postV1ProjectsIdSimulationsTry: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Tried"];
                };
            };
        };
    };
    getV1ProjectsIdChanges: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                range?: components["parameters"]["range"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                kind?: "deploy" | "config" | "prompt" | "model";
                environment?: components["parameters"]["environment.3"];
                service?: string;
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChangePage"];
                };
            };
        };
    };
    postV1ProjectsIdChanges: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Change"];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["Change"];
                };
            };
        };
    };
    getV1ProjectsIdChangesChangeId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                changeId: components["parameters"]["changeId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Change"];
                };
            };
        };
    };
    getV1ProjectsIdChangesChangeIdImpact: {
        parameters: {
            query?: {
                hours?: number;
                model?: string;
                agent?: string;
            };
            path: {
                id: components["parameters"]["id"];
                changeId: components["parameters"]["changeId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Impact"];
                };
            };
        };
    };
    getV1ProjectsIdGraph: {
        parameters: {
            query?: {
                range?: components["parameters"]["range"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                environment?: components["parameters"]["environment"];
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Graph"];
                };
            };
        };
    };
    getV1ProjectsIdBlastRadius: {
        parameters: {
            query: {
                range?: components["parameters"]["range"];
                from?: components["parameters"]["from"];
                to?: components["parameters"]["to"];
                environment?: components["parameters"]["environment"];
                node: string;
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BlastRadius"];
                };
            };
        };
    };
    getV1ProjectsIdIncidents: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
                status?: "open" | "acknowledged" | "resolved";
                ruleId?: string;
                environment?: components["parameters"]["environment.3"];
                from?: string;
                to?: string;
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IncidentPage"];
                };
            };
        };
    };
    getV1ProjectsIdIncidentsIncidentId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                incidentId: components["parameters"]["incidentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
        };
    };
    patchV1ProjectsIdIncidentsIncidentId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                incidentId: components["parameters"]["incidentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncidentChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
        };
    };
    getV1ProjectsIdIncidentsIncidentIdFixProposals: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                id: components["parameters"]["id"];
                incidentId: components["parameters"]["incidentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FixProposalPage"];
                };
            };
        };
    };
    postV1ProjectsIdIncidentsIncidentIdFixProposals: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                incidentId: components["parameters"]["incidentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    promptName?: string;
                    connection?: string;
                };
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["StartedFixProposal"];
                };
            };
        };
    };
    getV1ProjectsIdIncidentsIncidentIdFixProposalsProposalId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                incidentId: components["parameters"]["incidentId"];
                proposalId: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FixProposal"];
                };
            };
        };
    };
    getV1ProjectsIdAlerts: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AlertPage"];
                };
            };
        };
    };
    postV1ProjectsIdAlerts: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertBody"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
        };
    };
    postV1ProjectsIdAlertsPreview: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AlertPreview"];
                };
            };
        };
    };
    getV1ProjectsIdAlertsAlertId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                alertId: components["parameters"]["alertId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
        };
    };
    deleteV1ProjectsIdAlertsAlertId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                alertId: components["parameters"]["alertId"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    patchV1ProjectsIdAlertsAlertId: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                alertId: components["parameters"]["alertId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AlertRule"];
                };
            };
        };
    };
    getV1ProjectsIdAlertsAlertIdDeliveries: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limit"];
                cursor?: components["parameters"]["cursor"];
            };
            path: {
                id: components["parameters"]["id"];
                alertId: components["parameters"]["alertId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
        };
    };
    postV1ProjectsIdAlertsAlertIdTest: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                alertId: components["parameters"]["alertId"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["QueuedDeliveries"];
                };
            };
        };
    };
    postV1ProjectsIdAlertsAlertIdDeliveriesDeliveryIdRedeliver: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                alertId: components["parameters"]["alertId"];
                deliveryId: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["QueuedDeliveries"];
                };
            };
        };
    };
    getV1ProjectsIdModelLifecycleFindings: {
        parameters: {
            query?: {
                state?: "open" | "dismissed";
            };
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FindingList"];
                };
            };
        };
    };
    postV1ProjectsIdModelLifecycleFindingsFindingIdDismiss: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                findingId: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Finding"];
                };
            };
        };
    };
    postV1ProjectsIdModelLifecycleScan: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ScanAnswer"];
                };
            };
        };
    };
    getV1ProjectsIdModelLifecycleCatalogue: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["LifecycleCatalogue"];
                };
            };
        };
    };
    putV1ProjectsIdModelLifecycleCatalogueModel: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                model: components["parameters"]["model.3"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OverrideBody"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ListedEntry"];
                };
            };
        };
    };
    deleteV1ProjectsIdModelLifecycleCatalogueModel: {
        parameters: {
            path: {
                id: components["parameters"]["id"];
                model: components["parameters"]["model.3"];
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getV1ProjectsIdTracesTraceIdShares: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                traceId: components["parameters"]["traceId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ShareList"];
                };
            };
        };
    };
    postV1ProjectsIdTracesTraceIdShares: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                traceId: components["parameters"]["traceId"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    expiresInDays?: number;
                    payloads?: boolean;
                    redact?: boolean;
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["ShareCreated"];
                };
            };
        };
    };
    deleteV1ProjectsIdSharesShareId: {
        parameters: {
            path: {
                id: components["parameters"]["id.2"];
                shareId: string;
            };
        };
        responses: {
            204: {
                content?: never;
            };
        };
    };
    getV1SharesToken: {
        parameters: {
            path: {
                token: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SharedTrace"];
                };
            };
        };
    };
    postMcp: {
        parameters: {
            query?: {
                projectId?: components["parameters"]["projectId"];
                write?: "true" | "false";
            };
        };
        requestBody: {
            content: {
                "application/json": ({
                    jsonrpc: "2.0";
                    id?: string | number;
                    method: string;
                    params?: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                }) | ({
                    jsonrpc: "2.0";
                    id?: string | number;
                    method: string;
                    params?: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                })[];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": ({
                        jsonrpc: "2.0";
                    } & {
                        [key: string]: unknown;
                    }) | {
                        [key: string]: unknown;
                    }[];
                };
            };
            202: {
                content?: never;
            };
        };
    };
}
