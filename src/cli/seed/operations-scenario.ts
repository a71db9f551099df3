import type { ChangeBody } from '../../contract/changes.ts';
import { dayMs } from '../../contract/durations.ts';

/** A release that ran in production from a time on. */
export interface Deployment {
  atMs: number;
  version: string;
  /** Added to the error rate of every call in production, 0..1. */
  addedErrors: number;
  commitSha: string;
  description: string;
}

/** Deployments by how much of the period was left, 0..1. The last but one makes calls fail until it is rolled back. */
const releases = [
  { left: 0.9, version: '2.3.0', addedErrors: 0, commitSha: '8c1f0b7e6d5a4938', description: 'Retrieval from the new index' },
  { left: 0.6, version: '2.4.0', addedErrors: 0, commitSha: '51d0a94ec27b38f6', description: 'Yearly billing' },
  {
    left: 0.22,
    version: '2.5.0',
    addedErrors: 0.14,
    commitSha: 'e07b96a3d84c21f5',
    description: 'Shorter time-outs of model calls',
  },
  {
    left: 0.12,
    version: '2.5.1',
    addedErrors: 0,
    commitSha: '2ab84c6f10d97e35',
    description: 'Time-outs of model calls as in 2.4.0',
  },
] as const;

interface Period {
  days: number;
  /** Epoch milliseconds. */
  endMs: number;
}

/** The deployments of a period, oldest first. */
export function deploymentsOf({ days, endMs }: Period): Deployment[] {
  return releases.map(({ left, ...release }) => ({ ...release, atMs: Math.floor(endMs - left * days * dayMs) }));
}

/** Changes as a pipeline and people report them: the deployments, and others. */
export function reportedChanges(period: Period): ChangeBody[] {
  const deployments = deploymentsOf(period).map(({ atMs, version, commitSha, description }): ChangeBody => ({
    kind: 'deploy',
    at: new Date(atMs).toISOString(),
    version,
    commitSha,
    description,
    environment: 'production',
    actor: 'release pipeline',
    url: `https://ci.example.com/releases/${version}`,
    idempotencyKey: `release ${version} ${atMs}`,
  }));
  const others = [
    { left: 0.75, kind: 'config', description: 'Raised the limit of tool calls to 8', environment: 'production' },
    { left: 0.45, kind: 'model', description: 'Triage answers short questions with gpt-4o-mini', environment: 'production' },
    { left: 0.3, kind: 'deploy', version: '2.5.0-rc.1', description: 'Release candidate', environment: 'staging' },
  ] as const;
  return [
    ...deployments,
    ...others.map(({ left, ...change }): ChangeBody => {
      const atMs = Math.floor(period.endMs - left * period.days * dayMs);
      return { ...change, at: new Date(atMs).toISOString(), idempotencyKey: `${change.description} ${atMs}` };
    }),
  ];
}

/** Retirement dates of called models in days from today, one for each band; the catalogue's own come nearer every day. */
export const retirements = [
  { model: 'acme/llama-3.3-70b-support-ft', days: -3, replacement: 'gpt-4o-mini-2024-07-18' },
  { model: 'gemini-2.5-flash', days: 5, replacement: 'gpt-4o-mini-2024-07-18' },
  { model: 'claude-sonnet-4-5-20250929', days: 24, replacement: 'claude-sonnet-5-5' },
  { model: 'gpt-4o-2024-08-06', days: 70, replacement: 'gpt-4o-mini-2024-07-18' },
  { model: 'text-embedding-3-small', days: 40, replacement: 'text-embedding-3-large' },
  { model: 'gpt-4o-mini-2024-07-18', days: 400 },
] as const;

/** The model whose finding is dismissed. */
export const dismissedModel = 'text-embedding-3-small';
