import type { ReactNode } from 'react';
import { CheckList } from '../../design/check-list.tsx';
import { Select } from '../../design/field.tsx';
import type { ApiKeyScope } from '../../../../src/contract/key-scopes.ts';
import { lifeOptions, scopeOptions } from './key-limits.ts';
import type { Life } from './key-limits.ts';

const accesses = [
  { value: 'full', label: 'Full access' },
  { value: 'scopes', label: 'Selected scopes' },
] as const;

/** What a form says of an API key's limits. */
export interface KeyLimits {
  /** null: full access. */
  scopes: readonly ApiKeyScope[] | null;
  life: Life;
}

interface KeyFieldsProps {
  limits: KeyLimits;
  onLimits(limits: KeyLimits): void;
  /** Whether the key expires already. */
  expires?: boolean;
}

/** The access and the expiry of an API key. */
export function KeyFields({ limits, onLimits, expires = false }: KeyFieldsProps): ReactNode {
  return (
    <>
      <Select<'full' | 'scopes'>
        label="Access"
        className="w-40"
        value={limits.scopes === null ? 'full' : 'scopes'}
        options={accesses}
        onValue={(access) => onLimits({ ...limits, scopes: access === 'full' ? null : [] })}
      />
      <Select<Life>
        label="Expires after"
        className="w-32"
        value={limits.life}
        options={lifeOptions(expires)}
        onValue={(life) => onLimits({ ...limits, life })}
      />
    </>
  );
}

/** The scopes of an API key; nothing with full access. */
export function ScopeList({ limits, onLimits }: KeyFieldsProps): ReactNode {
  if (limits.scopes === null) return null;
  return (
    <CheckList
      label="Scopes"
      options={scopeOptions}
      values={limits.scopes}
      onValues={(scopes) => onLimits({ ...limits, scopes: scopes as ApiKeyScope[] })}
      hint={limits.scopes.length === 0 ? 'Select at least one.' : undefined}
    />
  );
}

/** Whether the form can be sent. */
export const isComplete = (name: string, { scopes }: KeyLimits): boolean => name.trim() !== '' && scopes?.length !== 0;
