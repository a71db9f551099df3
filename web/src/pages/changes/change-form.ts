import type { ChangeKind } from '../../api/parts.ts';
import type { ChangeBody } from '../../api/service.ts';

/** The fields of the form as they are typed. */
export interface ChangeForm {
  kind: ChangeKind;
  service: string;
  version: string;
  commitSha: string;
  environment: string;
  /** The value of a datetime-local input; empty for now. */
  at: string;
  url: string;
  description: string;
}

export const emptyForm: ChangeForm = {
  kind: 'deploy',
  service: '',
  version: '',
  commitSha: '',
  environment: '',
  at: '',
  url: '',
  description: '',
};

/** The JSON pointers of the fields, for errors. */
export const formPaths = ['/kind', '/service', '/version', '/commitSha', '/environment', '/at', '/url', '/description'];

/** The change as it is sent, without empty fields. @param actor who records it */
export function changeFields({ kind, at, ...texts }: ChangeForm, actor: string): ChangeBody {
  const given = Object.entries(texts).map(([name, value]) => [name, value.trim()] as const);
  return {
    kind,
    actor,
    ...Object.fromEntries(given.filter(([, value]) => value !== '')),
    ...(at === '' ? {} : { at: new Date(at).toISOString() }),
  };
}
