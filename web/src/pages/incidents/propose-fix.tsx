import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { useId, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { connectionsQuery } from '../../api/connections.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useIncidentActions } from '../../api/incidents.ts';
import { promptsNamedQuery } from '../../api/prompts.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input, Select } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Starts a fix proposal, after a dialog that says what is sent. Requires `incidents:manage` and `prompts:manage`. */
export function ProposeFix({ incidentId }: { incidentId: string }): ReactNode {
  const { can } = useProject();
  const [asking, setAsking] = useState(false);
  if (!can('incidents:manage') || !can('prompts:manage')) return null;
  return (
    <>
      <Button look="primary" onClick={() => setAsking(true)}>
        <Sparkles aria-hidden />
        Propose a fix
      </Button>
      {asking && <ProposeDialog incidentId={incidentId} onClose={() => setAsking(false)} />}
    </>
  );
}

const formId = 'propose-form';
/** What to do where the service names the field of its API. */
const ownMessages: Readonly<Record<string, readonly [path: string, message: string]>> = {
  no_prompt: ['/promptName', 'The failing traces name no prompt of this project. Choose the prompt to revise.'],
  no_model_connection: ['/connection', 'Choose a model connection.'],
};

function ProposeDialog({ incidentId, onClose }: { incidentId: string; onClose(): void }): ReactNode {
  const { at, projectId } = useProject();
  const { propose } = useIncidentActions(projectId, incidentId);
  const connections = useQuery(connectionsQuery(projectId)).data?.modelConnections;
  const [promptName, setPromptName] = useState('');
  const [choice, setConnection] = useState('');
  const [first, ...others] = connections ?? [];
  const connection = choice === '' && others.length === 0 ? (first?.name ?? '') : choice;
  const prompts = useQuery(promptsNamedQuery(projectId, promptName.trim())).data?.prompts ?? [];
  const list = useId();
  const say = useToast();
  const { error } = propose;
  const own = error instanceof ApiError ? ownMessages[error.code] : undefined;
  const errors = fieldErrors(own ? null : error);
  const errorAt = (path: string) => (own?.[0] === path ? own[1] : errors.at(path));
  const rest = errors.rest(['/promptName', '/connection']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = {
      ...(promptName.trim() === '' ? {} : { promptName: promptName.trim() }),
      ...(connection === '' ? {} : { connection }),
    };
    propose.mutate(body, {
      onSuccess: () => {
        onClose();
        say('Fix proposal started');
      },
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Propose a fix?"
      description="Sends up to 20 failing traces and the prompt that they used to a model connection, which revises the prompt. The revision is stored as a version without labels: applications do not get it until you move a label to it."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={formId} busy={propose.isPending} disabled={connections?.length === 0}>
            Propose
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-3" noValidate>
        <Input
          label="Prompt"
          placeholder="The one that most failing traces used"
          list={list}
          value={promptName}
          spellCheck={false}
          onChange={(event) => setPromptName(event.target.value)}
          error={errorAt('/promptName')}
        />
        <datalist id={list}>
          {prompts.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {connections?.length === 0 ? (
          <p role="note" className="rounded-md bg-warn-soft px-3 py-2">
            A fix proposal needs a model connection, and this project has none.{' '}
            <Link {...pages.settings(at, 'connections')} className="text-accent underline">
              Create a model connection
            </Link>
          </p>
        ) : (
          <Select<string>
            label="Model connection"
            value={connection}
            options={[
              ...(connection === '' ? [{ value: '', label: 'Choose a model connection' }] : []),
              ...(connections ?? []).map(({ name }) => ({ value: name, label: visibleText(name) })),
            ]}
            onValue={setConnection}
            error={errorAt('/connection')}
          />
        )}
        {rest !== null && (
          <p role="alert" className="text-bad">
            {rest}
          </p>
        )}
      </form>
    </Dialog>
  );
}
