export interface NewMember {
  email: string;
  password: string;
  name: string;
  role: string;
}

/**
 * Invites a new person to an organization, and accepts as that person.
 *
 * @param url of the service  @param by credentials of an owner or admin, as headers
 * @returns the new person's id and cookie
 */
export async function addMember(
  url: string,
  by: Readonly<Record<string, string>>,
  organizationId: string,
  { email, password, name, role }: NewMember,
): Promise<{ userId: string; cookie: string }> {
  const post = async (path: string, headers: Readonly<Record<string, string>>, body: object) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST ${path} for ${email} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const invited = await post(`/v1/organizations/${organizationId}/invitations`, by, { email, role });
  const { url: link } = (await invited.json()) as { url: string };
  const accepted = await post('/v1/invitations/accept', {}, { token: link.split('/').at(-1), name, password });
  const { user } = (await accepted.json()) as { user: { id: string } };
  return { userId: user.id, cookie: accepted.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}
