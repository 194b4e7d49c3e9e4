import type { App } from '../../src/platform/http/index.ts';
import { testPassword } from '../app/builders.ts';

/** A browser that keeps its cookies and goes nowhere by itself, so that a test sees every step. */
export function plainBrowser(app: App) {
  const cookies = new Map<string, string>();

  async function send(
    method: 'GET' | 'POST',
    url: string,
    form?: Record<string, string>,
    headers: object = {},
  ) {
    const answer = await app.inject({
      method,
      url,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }),
        ...headers,
      },
      ...(form && { payload: new URLSearchParams(form).toString() }),
    });
    for (const { name, value } of answer.cookies) {
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  return {
    cookies,
    get: (url: string, headers?: object) => send('GET', url, undefined, headers),
    post: (url: string, form: Record<string, string>, headers?: object) => send('POST', url, form, headers),
    /** Signs in, on the way to `next` where that is given. @returns where the site then leads to. */
    async signIn(email: string, next?: string): Promise<string> {
      const answer = await send('POST', '/signin', { email, password: testPassword, ...(next && { next }) });
      return String(answer.headers.location);
    },
  };
}
