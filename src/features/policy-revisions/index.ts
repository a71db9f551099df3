export { changePolicies, policiesChannel } from './change-policies.ts';
export type { LockedPolicies, PolicyChange } from './change-policies.ts';
export { managePolicy, placePolicy, readPolicies, removePolicy, writePolicy } from './policy-store.ts';
export type { EnvironmentRow, GuardrailRow, Management } from './policy-store.ts';
export { specificationOfEnvironment, specificationOfGuardrail } from './specification.ts';
export type { EnvironmentSpec, GuardrailSpec, RecordedPolicy, Specification } from './specification.ts';
export type { AppliedFile, PoliciesDb, PoliciesTransaction, PolicyTables } from './tables.ts';
