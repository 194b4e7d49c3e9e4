import type { SiteProcess } from '../process/site-process.ts';
import { pageVisitor } from './page-visitor.ts';

export type Answer = { status: number; headers: Headers; body: Record<string, any> };

/** A client system: what curl does with a token. */
export function apiClient(baseUrl: string, token: string) {
  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isLines = answer.headers.get('content-type') === 'application/x-ndjson';
    return {
      status: answer.status,
      headers: answer.headers,
      body: text.startsWith('{') && !isLines ? JSON.parse(text) : { text },
    };
  }
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call('POST', path, body, headers),
    put: (path: string, body: unknown) => call('PUT', path, body),
    delete: (path: string) => call('DELETE', path),
  };
}

/** Copies the two keys from the keys page, as an account holder does. */
export async function copyKeys(
  person: ReturnType<typeof pageVisitor>,
): Promise<{ access: string; refresh: string }> {
  const { page } = await person.visit('/apikeys');
  const value = (id: string) => page.querySelector(`#${id}`)?.getAttribute('value') ?? '';
  return { access: value('access-token'), refresh: value('refresh-token') };
}

/** The keys of one of the sample’s people, who signs in for that. */
export async function sampleKeys(
  { baseUrl, logins }: Pick<SiteProcess, 'baseUrl' | 'logins'>,
  who: keyof SiteProcess['logins'],
): Promise<{ access: string; refresh: string }> {
  const person = pageVisitor(baseUrl);
  await person.signIn(logins[who]);
  return copyKeys(person);
}
